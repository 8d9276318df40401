import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { Batches } from './batches.ts';

function batches({ count = 100, bytes = 1_000 } = {}, work: (batch: readonly string[]) => Promise<void> = () => setImmediate()) {
  const done: (readonly string[])[] = [];
  const all = new Batches<string>({ count, bytes, sizeOf: (item) => item.length }, (batch) => {
    done.push(batch);
    return work(batch);
  });
  return { done, add: (...items: string[]) => Promise.allSettled(items.map((item) => all.add(item))) };
}

const reasons = (outcomes: PromiseSettledResult<void>[]) =>
  outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).message : null));

describe('batches', () => {
  it('contain the items that arrived during the previous one, in order', async () => {
    const { done, add } = batches();
    await add('a', 'b', 'c');
    await add('d');
    expect(done).toEqual([['a'], ['b', 'c'], ['d']]);
  });
  it('are limited in items and in bytes', async () => {
    const { done, add } = batches({ count: 3, bytes: 6 });
    await add('first', 'a', 'b', 'c', 'd', 'long-item', 'e', 'f');
    expect(done).toEqual([['first'], ['a', 'b', 'c'], ['d', 'long-item'], ['e', 'f']]);
  });
  it('fail only for the item that fails', async () => {
    const { add } = batches({}, async (batch) => {
      if (batch.includes('bad')) throw new Error('bad');
    });
    expect(reasons(await add('first', 'a', 'bad', 'b'))).toEqual([null, null, 'bad', null]);
  });
  it('fail completely while a database is unavailable, and continue afterwards', async () => {
    let tries = 0;
    const { done, add } = batches({}, async () => {
      if (++tries === 2) throw refuse('unavailable', 'stream_busy', 'Try again.');
    });
    expect(reasons(await add('first', 'a', 'b'))).toEqual([null, 'Try again.', 'Try again.']);
    expect(reasons(await add('a', 'b'))).toEqual([null, null]);
    expect(done).toHaveLength(4);
  });
});
