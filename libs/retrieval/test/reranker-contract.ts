import { ok, rejects, strictEqual } from 'node:assert/strict';
import { MOST_DOCUMENTS, type Reranker } from '../src/rerank/reranker.ts';

export interface RerankerCase {
  readonly name: string;
  /** The reranker's model prefers longer documents. */
  run(reranker: Reranker): Promise<void>;
}

const never = new AbortController().signal;
const documents = ['a', 'aaaa', 'aa', 'aaa'];

/** The cases that each adapter of `Reranker` must pass. */
export const rerankerCases: readonly RerankerCase[] = [
  {
    name: 'names the best documents by their indices, best first',
    async run(reranker) {
      const ranking = await reranker.rerank('long', documents, 3, never);
      strictEqual(ranking.map(({ index }) => index).join(), '1,3,2');
      ok(ranking.every(({ score }) => Number.isFinite(score)));
    },
  },
  {
    name: 'names each document once if more are requested than exist',
    run: async (reranker) => strictEqual((await reranker.rerank('long', documents, 50, never)).length, 4),
  },
  {
    name: 'needs no model for an empty list',
    run: async (reranker) => strictEqual((await reranker.rerank('long', [], 3, never)).length, 0),
  },
  {
    name: 'refuses too many documents',
    async run(reranker) {
      const many = Array.from({ length: MOST_DOCUMENTS + 1 }, () => 'a');
      await rejects(reranker.rerank('long', many, 3, never), RangeError);
    },
  },
  {
    name: 'rejects with the reason of an aborted signal',
    async run(reranker) {
      const reason = new Error('the caller left');
      await rejects(reranker.rerank('long', documents, 3, AbortSignal.abort(reason)), (error) => error === reason);
    },
  },
];

/** The names of the cases that a reranker fails. */
export async function rerankerFailures(reranker: Reranker): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of rerankerCases) await run(reranker).catch(() => failed.push(name));
  return failed;
}
