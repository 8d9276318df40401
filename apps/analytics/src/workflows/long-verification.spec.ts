import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '../projections/audit-verification.ts';
import { LongVerification } from './long-verification.ts';

describe('a verification that takes longer than an answer may', () => {
  const verdict: Verdict = { checked: 7, head: null, broken: null };
  const begun: PromiseWithResolvers<Verdict>[] = [];
  const verification = (longestWait: number) => {
    begun.length = 0;
    return new LongVerification(() => {
      begun.push(Promise.withResolvers<Verdict>());
      return begun.at(-1)!.promise;
    }, longestWait);
  };

  it('continues, and the next request gets its outcome', async () => {
    const long = verification(1);
    await expect(long.outcome()).rejects.toMatchObject({ code: 'verification_running', facts: { retry_after: 10 } });
    await expect(long.outcome()).rejects.toMatchObject({ code: 'verification_running' });
    begun[0]!.resolve(verdict);
    expect(await long.outcome()).toBe(verdict);
    expect(begun).toHaveLength(1);
  });
  it('is shared by all requests meanwhile', async () => {
    const long = verification(60_000);
    const answers = [long.outcome(), long.outcome()];
    begun[0]!.resolve(verdict);
    expect(await Promise.all(answers)).toEqual([verdict, verdict]);
    expect(begun).toHaveLength(1);
  });
  it('is started again after its outcome was returned', async () => {
    const long = verification(60_000);
    for (const n of [0, 1]) {
      const answer = long.outcome();
      begun[n]!.resolve(verdict);
      await answer;
    }
    expect(begun).toHaveLength(2);
  });
  it('is started again after it failed', async () => {
    const long = verification(60_000);
    const failed = long.outcome();
    begun[0]!.reject(new Error('the disk is gone'));
    await expect(failed).rejects.toThrow('the disk is gone');
    const answer = long.outcome();
    begun[1]!.resolve(verdict);
    expect(await answer).toBe(verdict);
  });
});
