import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens as whole } from 'gpt-tokenizer/encoding/o200k_base';
import { countTokens } from './count-tokens.ts';

const word = fc.constantFrom('the', 'quick', 'Gänse', '東京', '2026', 'a.b', 'x,', '“no”', '😀', '¿qué?', 'foo_bar', '(1)');
const blank = fc.constantFrom(' ', ' ', ' ', '  ', '\n', '\n\n', ', ');
const prose = fc
  .array(fc.tuple(word, blank), { maxLength: 4_000, size: 'max' })
  .map((pairs) => pairs.map(([one, between]) => one + between).join(''));

describe('counting tokens', () => {
  it('gives what the tokenizer gives for the whole text', async () => {
    await fc.assert(
      fc.asyncProperty(prose, async (text) => expect(await countTokens(text, Infinity)).toEqual({ tokens: whole(text), estimated: false })),
      { numRuns: 30 },
    );
  });
  it.each(['漢'.repeat(64_000), 'a'.repeat(200_000), '😀'.repeat(50_000), ' '.repeat(300_000), '-'.repeat(300_000), '7'.repeat(300_000)])(
    'lets others have their turn in between (%.1s…)',
    async (text) => {
      const counting = { isDone: false, turns: 0 };
      const counted = countTokens(text, Infinity).finally(() => (counting.isDone = true));
      for (; !counting.isDone; counting.turns++) await setImmediate();
      expect([(await counted).tokens > 0, counting.turns > 1]).toEqual([true, true]);
    },
  );
  it('lets others have their turn between many short texts', async () => {
    const counting = { isDone: false, turns: 0 };
    // Counting ends after five turns of others. Without any, it would go on to the last text.
    const texts = 20_000;
    const counted = (async () => {
      let nth = 0;
      for (; nth < texts && counting.turns < 5; nth++) await countTokens(`Message ${nth} of a long conversation. `.repeat(25));
      return nth;
    })().finally(() => (counting.isDone = true));
    for (; !counting.isDone; counting.turns++) await setImmediate();
    expect(await counted).toBeLessThan(texts);
  });
  it('counts nothing in nothing', async () => expect(await countTokens('')).toEqual({ tokens: 0, estimated: false }));
  it('reckons a long text from pieces of it, within two in a hundred of prose', async () => {
    const text = Array.from({ length: 20_000 }, (_, number) => `Line ${number * 7919} says that the quick fox, once more, is here.`).join(
      '\n',
    );
    const { tokens, estimated } = await countTokens(text);
    expect(estimated).toBe(true);
    expect(Math.abs(tokens / (await countTokens(text, Infinity)).tokens - 1)).toBeLessThan(0.02);
  });
  it('counts texts one after the other, so that a turn of the event loop takes no longer when they are many', async () => {
    const text = (from: number) =>
      Array.from({ length: 4_000 }, (_, number) => `Line ${(from + number) * 7919} of the quick fox`).join('\n');
    const counting = { isDone: false, turns: 0 };
    const endedIn = Array.from({ length: 20 }, async (_, place) => {
      await countTokens(text(place * 4_000), Infinity);
      return counting.turns;
    });
    const all = Promise.all(endedIn).finally(() => (counting.isDone = true));
    for (; !counting.isDone; counting.turns++) await setImmediate();
    // Counted side by side, all of them end in one turn or two.
    expect(new Set(await all).size).toBeGreaterThan(10);
  });
});
