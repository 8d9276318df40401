import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@parlance/decider';
import { Transfers } from './transfers.ts';

const codeOf = (answers: Promise<unknown>) =>
  answers.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    return `${error.kind} ${error.code}`;
  });

describe('transfers of files of bots', () => {
  it('are limited to one per user, so that others have a slot', async () => {
    const transfers = new Transfers();
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const ask = (userId: string) => codeOf(transfers.during(userId, () => end.then(() => 'done')));
    const answers = ['ann', 'ann', 'ben', 'cid', 'ann', 'dan', 'eve'].map(ask);
    resolve();
    const running = 'limited transfer_running';
    expect(await Promise.all(answers)).toEqual(['done', running, 'done', 'done', running, 'done', 'unavailable busy']);
    expect(await ask('ann')).toBe('done');
  });

  it('free the slot of a failed one', async () => {
    const transfers = new Transfers();
    await expect(transfers.during('ann', () => Promise.reject(new Error('the store is down')))).rejects.toThrow('the store is down');
    expect(await transfers.during('ann', async () => 'done')).toBe('done');
  });
});
