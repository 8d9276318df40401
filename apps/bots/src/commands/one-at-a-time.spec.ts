import { describe, expect, it } from '@jest/globals';
import { OneAtATime } from './one-at-a-time.ts';

describe('doing one task at a time', () => {
  it('keeps the order for each key, even after a failure, and does not wait for other keys', async () => {
    const turns = new OneAtATime();
    const seen: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = turns.do('a', async () => {
      await held;
      seen.push('first');
      throw new Error('first failed');
    });
    const second = turns.do('a', async () => seen.push('second'));
    await turns.do('b', async () => seen.push('other'));
    expect(seen).toEqual(['other']);
    release();
    await expect(first).rejects.toThrow('first failed');
    await second;
    expect(seen).toEqual(['other', 'first', 'second']);
    expect(await turns.do('a', async () => 'third')).toBe('third');
  });
});
