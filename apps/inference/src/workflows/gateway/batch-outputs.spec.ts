import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { FileKey } from '@parlance/privacy';
import type { BatchResultStore, LineResult } from '../../adapters/gateway/batch-results.ts';
import type { EndReason } from '../../domain/gateway/gateway-batch.ts';
import type { BatchInput } from './batch-input.ts';
import { BatchOutputs } from './batch-outputs.ts';
import type { StoredFiles } from './stored-files.ts';

const answer: LineResult = { isCompleted: true, line: Buffer.from('{"response":1}\n') };
const refusal: LineResult = { isCompleted: false, line: Buffer.from('{"response":2}\n') };

/** The files of a batch whose requests are named by their numbers. */
async function filesOf(results: readonly (LineResult | 'damaged' | null)[], because: EndReason, through: number) {
  const files = new Map<string, string>();
  const addOutput = async ({ name }: { readonly name: string }, lines: AsyncIterable<Buffer>) => {
    files.set(name, await text(lines));
  };
  const names = results.map((_, number) => ({ customId: String(number), body: Buffer.alloc(0) }));
  const outputs = new BatchOutputs(
    { get: async (_: unknown, number: number) => results[number]! } as unknown as BatchResultStore,
    { from: async (_: unknown, number: number) => names.slice(number, number + 2) } as unknown as BatchInput,
    { addOutput } as unknown as StoredFiles,
  );
  const written = await outputs.write({
    batch: { userId: 'ann', batchId: 'b' },
    file: { userId: 'ann', fileId: 'f', endpoint: 'embeddings' },
    key: FileKey.create(),
    lines: results.length,
    through,
    because,
    claim: 'c',
    checkIn: () => undefined,
  });
  const linesOf = (kind: string) =>
    files
      .get(`batch_b_${kind}.jsonl`)
      ?.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)) ?? [];
  return { ...written, answers: linesOf('output'), errors: linesOf('errors') };
}

describe('the files of a batch', () => {
  it('have each answer, and an error for a result that is damaged or missing', async () => {
    const { answers, errors, completed, failed } = await filesOf([answer, 'damaged', refusal, null, answer], 'done', 5);
    expect([answers.length, completed, failed]).toEqual([2, 2, 3]);
    const lost = { response: null, error: { code: 'result_damaged', message: expect.any(String) } };
    expect(errors).toMatchObject([{ custom_id: '1', ...lost }, { response: 2 }, { custom_id: '3', ...lost }]);
  });
  it('do not say that a request was not sent if its result is missing', async () => {
    const { errors, failed } = await filesOf([answer, null, null], 'cancelled', 2);
    expect(errors).toMatchObject([
      { custom_id: '1', error: { code: 'result_damaged' } },
      { custom_id: '2', error: { code: 'batch_cancelled' } },
    ]);
    expect(failed).toBe(1);
  });
});
