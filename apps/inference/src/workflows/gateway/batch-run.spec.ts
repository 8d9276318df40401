import { describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { StoreUnavailable } from '@parlance/object-store';
import { FileKey } from '@parlance/privacy';
import type { LineResult } from '../../adapters/gateway/batch-results.ts';
import { BatchRun, type RunParts } from './batch-run.ts';
import type { LineAnswer, LineRequest } from './line-calls.ts';

const none = { through: 0, completed: 0, failed: 0 };

type Answering = (id: string, keep: (answer: LineAnswer) => Promise<void>) => Promise<void>;
const answering: Answering = (_, keep) => keep({ status: 200, callId: 'c', body: Buffer.from('{"ok":\ntrue}') });

/** A batch of requests that are named by their numbers. */
function runOf(lines: number, begun = none, answer: Answering = answering) {
  const stored = new Map<number, LineResult | 'damaged'>();
  const sent: string[] = [];
  const callIds: string[] = [];
  const ids = Array.from({ length: lines }, (_, number) => ({ customId: String(number), body: Buffer.from(String(number)) }));
  const parts = {
    input: { from: async (_: unknown, number: number) => ids.slice(number, number + 3) },
    results: {
      get: async (_: unknown, number: number) => stored.get(number) ?? null,
      put: async (_: unknown, number: number, __: unknown, result: LineResult) => void stored.set(number, result),
    },
    token: { caller: async () => ({}) },
    calls: {
      run: async ({ bytes, callId }: LineRequest, keep: (answer: LineAnswer) => Promise<void>) => {
        sent.push(String(bytes));
        callIds.push(callId);
        await answer(String(bytes), keep);
      },
    },
  } as unknown as RunParts;
  const file = { userId: 'ann', fileId: 'f', endpoint: 'chat/completions' } as const;
  const batch = { userId: 'ann', batchId: 'b' };
  const { signal } = new AbortController();
  const run = new BatchRun(parts, { batch, file, key: FileKey.create(), lines, begun, signal });
  const resultOf = (number: number) => stored.get(number) as LineResult;
  return { run, stored, sent, callIds, resultOf };
}

describe('the requests of a batch', () => {
  it('are each sent once, and have a line with their answer', async () => {
    const { run, resultOf, sent } = runOf(100);
    await run.run();
    expect(sent.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, number) => number));
    expect(run.progress).toEqual({ through: 100, completed: 100, failed: 0 });
    expect(String(resultOf(7).line)).toBe(
      '{"id":"batch_req_c","custom_id":"7","response":{"status_code":200,"request_id":"c","body":{"ok": true}},"error":null}\n',
    );
  });
  it('are not sent again after a crash if they have a result', async () => {
    const { run, stored, sent } = runOf(10, { through: 4, completed: 3, failed: 1 });
    stored.set(5, { isCompleted: true, line: Buffer.from('x') });
    stored.set(7, { isCompleted: false, line: Buffer.from('y') });
    await run.run();
    expect(sent.toSorted()).toEqual(['4', '6', '8', '9']);
    expect(run.progress).toEqual({ through: 10, completed: 8, failed: 2 });
  });
  it('are not sent again after a crash if many have a result that was not yet recorded', async () => {
    const { run, stored, sent } = runOf(500, { through: 100, completed: 100, failed: 0 });
    for (let number = 100; number < 400; number++) stored.set(number, { isCompleted: true, line: Buffer.from('x') });
    await run.run();
    expect(sent).toHaveLength(100);
    expect(run.progress).toEqual({ through: 500, completed: 500, failed: 0 });
  });
  it('are not sent again after a crash if their result is damaged, because they were charged', async () => {
    const { run, stored, sent } = runOf(3);
    stored.set(1, 'damaged');
    await run.run();
    expect(sent.toSorted()).toEqual(['0', '2']);
    expect(run.progress).toEqual({ through: 3, completed: 2, failed: 1 });
  });
  it('wait while the database is away', async () => {
    let failures = 0;
    const { run, sent } = runOf(1, none, async (id, keep) => {
      if (failures++ < 7) throw new StoreUnavailable('the database is away');
      await answering(id, keep);
    });
    // IDs are made meanwhile, and later ones of this process would have the time of a clock that was moved forward.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
    const running = run.run();
    try {
      while (sent.length < 8) await jest.advanceTimersByTimeAsync(1_000);
    } finally {
      jest.useRealTimers();
    }
    await running;
    expect(run.progress).toEqual({ through: 1, completed: 1, failed: 0 });
  });
  it('are not sent again if the provider broke its answer off, which is charged', async () => {
    const { run, resultOf, sent } = runOf(1, none, (_, keep) => keep({ status: 503, callId: 'c', body: Buffer.from('{"error":{}}') }));
    await run.run();
    expect([sent.length, resultOf(0).isCompleted]).toEqual([1, false]);
  });
  it('do not run far ahead of one that takes long', async () => {
    const slow = Promise.withResolvers<void>();
    const { run, sent } = runOf(200, none, async (id, keep) => {
      if (id === '0') await slow.promise;
      if (id === '63') setImmediate(() => slow.resolve());
      await answering(id, keep);
    });
    const running = run.run();
    await slow.promise;
    expect(sent).toHaveLength(64);
    await running;
    expect(run.progress).toEqual({ through: 200, completed: 200, failed: 0 });
  });
  it('wait for limits, and fail with other refusals', async () => {
    let refusals = 0;
    const { run, resultOf, sent } = runOf(2, none, async (id, keep) => {
      if (id === '0') throw refuse('limited', 'budget_exceeded', 'The budget is used up.');
      if (refusals++ === 0) throw refuse('limited', 'too_many_parallel_requests', 'Too many.', { retry_after: 0.1 });
      await answering(id, keep);
    });
    await run.run();
    expect(sent.toSorted()).toEqual(['0', '1', '1']);
    expect(run.progress).toEqual({ through: 2, completed: 1, failed: 1 });
    expect(JSON.parse(String(resultOf(0).line)).response).toMatchObject({
      status_code: 429,
      body: { error: { code: 'budget_exceeded' } },
    });
  });
  it('name their last call if it was refused', async () => {
    const { run, callIds, resultOf } = runOf(1, none, async () => {
      throw refuse('limited', 'budget_exceeded', 'The budget is used up.');
    });
    await run.run();
    expect(JSON.parse(String(resultOf(0).line)).response.request_id).toBe(callIds.at(-1));
  });
  it('are not begun when the batch ends', async () => {
    const { run, sent } = runOf(50, none, async (id, keep) => {
      await answering(id, keep);
      run.end('cancelled');
    });
    await run.run();
    expect(sent.length).toBeLessThanOrEqual(4);
    expect(run.progress.through).toBe(sent.length);
  });
});
