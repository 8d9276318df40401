import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.ts';

const rows = (owner: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ owner_user_id: owner, bot_id: `${owner}${index}` }));
const taken = (turns: Turns, waiting: { owner_user_id: string; bot_id: string }[], count = waiting.length) =>
  Array.from({ length: count }, () => turns.next(waiting)?.bot_id);

describe('turns', () => {
  it("take one owner's runs in order", () => expect(taken(new Turns(), rows('ann', 3))).toEqual(['ann0', 'ann1', 'ann2']));
  it('alternate between owners, even if all runs of one have waited longer', () =>
    expect(taken(new Turns(), [...rows('ann', 3), ...rows('ben', 2)])).toEqual(['ann0', 'ben0', 'ann1', 'ben1', 'ann2']));
  it('are remembered from one search to the next', () => {
    const turns = new Turns();
    taken(turns, rows('ann', 1));
    expect(taken(turns, [...rows('ann', 2), ...rows('ben', 1)], 1)).toEqual(['ben0']);
  });
  it('skip owners that may not have a turn', () => {
    const waiting = [...rows('ann', 2), ...rows('ben', 1)];
    expect(new Turns().next(waiting, (owner) => owner !== 'ann')?.bot_id).toBe('ben0');
    expect(new Turns().next(rows('ann', 2), () => false)).toBeUndefined();
    expect(waiting.length).toBe(2);
  });
  it('end when no run is waiting', () => expect(new Turns().next([])).toBeUndefined());
});
