import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { type ImportedRetriever, MOST_IMPORTED_CHUNKS } from '../src/imported/imported-retriever.ts';

export interface RetrieverCase {
  readonly name: string;
  /** The knowledge base has 5 chunks. Chunk n is on page n of `s3://handbook/leave.pdf` and its text is `Rule n for <query>.` */
  run(retriever: ImportedRetriever): Promise<void>;
}

const { signal } = new AbortController();

/** The cases that each adapter of `ImportedRetriever` must pass. */
export const retrieverCases: readonly RetrieverCase[] = [
  {
    name: "finds chunks with their source and page, in the other system's order",
    async run(retriever) {
      const chunks = await retriever.retrieve('parents', { limit: 3, signal });
      deepStrictEqual(
        Array.from(chunks, ({ text, source, source_name, page_number, heading }) => ({ text, source, source_name, page_number, heading })),
        [1, 2, 3].map((page) => ({
          text: `Rule ${page} for parents.`,
          source: 's3://handbook/leave.pdf',
          source_name: 'leave.pdf',
          page_number: page,
          heading: null,
        })),
      );
      strictEqual(new Set(chunks.map(({ id }) => id)).size, 3);
      ok(chunks.every(({ score }) => Number.isFinite(score)));
    },
  },
  {
    name: 'finds as many chunks as there are',
    run: async (retriever) => strictEqual((await retriever.retrieve('parents', { limit: 20, signal })).length, 5),
  },
  {
    name: 'refuses a limit out of range',
    async run(retriever) {
      for (const limit of [0, -1, 1.5, MOST_IMPORTED_CHUNKS + 1])
        await rejects(retriever.retrieve('parents', { limit, signal }), RangeError);
    },
  },
  {
    name: 'rejects with the reason of an aborted signal',
    async run(retriever) {
      const reason = new Error('the caller left');
      await rejects(retriever.retrieve('parents', { limit: 1, signal: AbortSignal.abort(reason) }), (error) => error === reason);
    },
  },
];

/** The names of the cases that a retriever fails. */
export async function retrieverFailures(retriever: ImportedRetriever): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of retrieverCases) await run(retriever).catch(() => failed.push(name));
  return failed;
}
