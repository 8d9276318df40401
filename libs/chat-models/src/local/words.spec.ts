import { describe, expect, it } from '@jest/globals';
import { wordsOf } from './words.ts';

describe('the words of a text', () => {
  it.each([
    ['are in lower case and without accents', 'Čaj, ÉTÉ', ['caj', 'ete']],
    ['have numbers among them', 'Room 12b', ['room', '12b']],
    ['are pairs of characters in scripts without spaces', '退款需要', ['退款', '款需', '需要']],
    ['are single characters for a run of one', '退 and 款', ['退', 'and', '款']],
    ['are none without letters', '--- !', []],
  ])('%s', (_, text, words) => expect([...wordsOf(text).keys()]).toEqual(words));
  it('have the same stem in their other forms', () => {
    const stems = new Set(wordsOf('refund refunds refunded Rückerstattung Rückerstattungen').values());
    expect(stems).toEqual(new Set(['refun', 'rucke']));
  });
  it('are cut if they are long', () => expect([...wordsOf('x'.repeat(1_000)).keys()][0]!.length).toBe(64));
});
