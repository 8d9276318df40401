import { describe, expect, it } from '@jest/globals';
import { FairTurns } from './fair-turns.ts';

const never = () => new AbortController().signal;

describe('turns of a provider', () => {
  /** Asks for a turn and records when it begins. The test ends turns itself. */
  const asking = (atOnce: number) => {
    const turns = new FairTurns(atOnce);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (user: string, signal = never()) =>
      turns.take(user, signal).then((end) => {
        begun.push(user);
        ends.push(end);
      });
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    return { turns, begun, ends, ask, settled };
  };

  it('begin at once up to the limit', async () => {
    const { turns, begun, ask, settled } = asking(4);
    for (const user of ['ann', 'ben', 'cem', 'dan', 'eve']) void ask(user);
    await settled();
    expect([begun.length, turns.numbers]).toEqual([4, { running: 4, waiting: 1 }]);
  });
  it('remain for others if one user has many calls', async () => {
    const { begun, ask, settled } = asking(4);
    for (let call = 0; call < 100; call++) void ask('ann');
    void ask('ben');
    await settled();
    expect(begun).toEqual(['ann', 'ann', 'ann', 'ben']);
  });
  it('stay free if the waiting user has most of them', async () => {
    const { begun, ends, ask, settled } = asking(4);
    for (let call = 0; call < 5; call++) void ask('ann');
    void ask('ben');
    await settled();
    ends[3]!();
    await settled();
    expect(begun).toEqual(['ann', 'ann', 'ann', 'ben']);
    void ask('cem');
    await settled();
    expect(begun.at(-1)).toBe('cem');
  });
  it('alternate between the waiting users', async () => {
    const { begun, ends, ask, settled } = asking(1);
    for (const user of ['ann', 'ann', 'ann', 'ann', 'ben', 'ben', 'cem']) void ask(user);
    for (let turn = 0; turn < 7; turn++) {
      await settled();
      ends[turn]!();
    }
    expect(begun).toEqual(['ann', 'ann', 'ben', 'cem', 'ann', 'ben', 'ann']);
  });
  it('are given up after the signal is aborted', async () => {
    const { turns, begun, ends, ask, settled } = asking(1);
    await ask('ann');
    const stop = new AbortController();
    const waiting = ask('ben', stop.signal);
    void ask('cem');
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    ends[0]!();
    await settled();
    expect([begun, turns.numbers]).toEqual([['ann', 'cem'], { running: 1, waiting: 0 }]);
  });
  it('count once if they are ended twice', async () => {
    const { turns, ends, ask } = asking(2);
    await ask('ann');
    await ask('ben');
    ends[0]!();
    ends[0]!();
    expect(turns.numbers.running).toBe(1);
  });
});
