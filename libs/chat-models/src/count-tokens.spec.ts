import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens as whole } from 'gpt-tokenizer/encoding/o200k_base';
import { countTokens, countTokensOfAll } from './count-tokens.ts';

const word = fc.constantFrom('the', 'quick', 'Gänse', '東京', '2026', 'a.b', 'x,', '“no”', '😀', '¿qué?', 'foo_bar', '(1)');
const blank = fc.constantFrom(' ', ' ', ' ', '  ', '\n', '\n\n', ', ');
const prose = fc
  .array(fc.tuple(word, blank), { maxLength: 4_000, size: 'max' })
  .map((pairs) => pairs.map(([one, between]) => one + between).join(''));

describe('counting tokens', () => {
  it('counts the same as the tokenizer for the whole text', async () => {
    await fc.assert(
      fc.asyncProperty(prose, async (text) => expect(await countTokens(text, Infinity)).toEqual({ tokens: whole(text), estimated: false })),
      { numRuns: 30 },
    );
  });
  it.each(['漢', 'a', '😀', ' ', '-', '7'].map((character) => character.repeat(1_000_000)))(
    'lets other work run in between (%.1s…)',
    async (text) => {
      const counting = { isDone: false, turns: 0 };
      const counted = countTokens(text, Infinity).finally(() => (counting.isDone = true));
      for (; !counting.isDone; counting.turns++) await setImmediate();
      expect([(await counted).tokens > 0, counting.turns > 1]).toEqual([true, true]);
    },
  );
  it('lets other work run between many short texts', async () => {
    const counting = { isDone: false, turns: 0 };
    // Counting stops after five turns of other work. If it never yielded, it would reach the last text.
    const texts = 20_000;
    const counted = (async () => {
      let read = 0;
      for (; read < texts && counting.turns < 5; read++) await countTokens(`Message ${read} of a long conversation. `.repeat(25));
      return read;
    })().finally(() => (counting.isDone = true));
    for (; !counting.isDone; counting.turns++) await setImmediate();
    expect(await counted).toBeLessThan(texts);
  });
  it('counts several texts as it counts each', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(prose, { maxLength: 5 }), async (texts) => {
        const each = await Promise.all(texts.map((text) => countTokens(text, Infinity)));
        expect(await countTokensOfAll(texts, Infinity)).toEqual({
          tokens: each.reduce((sum, { tokens }) => sum + tokens, 0),
          estimated: false,
        });
      }),
      { numRuns: 10 },
    );
  });
  it('shares the characters that are counted among several long texts', async () => {
    const texts = Array.from({ length: 4 }, (_, nth) => `Line ${nth} of the quick fox. `.repeat(2_000));
    const { tokens, estimated } = await countTokensOfAll(texts, 8_192);
    expect(estimated).toBe(true);
    expect(Math.abs(tokens / (await countTokensOfAll(texts, Infinity)).tokens - 1)).toBeLessThan(0.02);
  });
  it('stops between texts when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(countTokensOfAll(['a text'], 1_024, { signal })).rejects.toThrow('stopped');
  });
  it('lets other work run between many short texts of one prompt', async () => {
    const counting = { isDone: false, turns: 0 };
    const texts = Array.from({ length: 2_000 }, (_, nth) => `Message ${nth} of a long conversation. `.repeat(25));
    const counted = countTokensOfAll(texts, Infinity).finally(() => (counting.isDone = true));
    for (; !counting.isDone; counting.turns++) await setImmediate();
    expect([(await counted).tokens > 0, counting.turns > 1]).toEqual([true, true]);
  });
  it('counts no tokens in an empty text', async () => expect(await countTokens('')).toEqual({ tokens: 0, estimated: false }));
  it('estimates a long text from samples, within two per cent for prose', async () => {
    const text = Array.from({ length: 20_000 }, (_, number) => `Line ${number * 7919} says that the quick fox, once more, is here.`).join(
      '\n',
    );
    const { tokens, estimated } = await countTokens(text);
    expect(estimated).toBe(true);
    expect(Math.abs(tokens / (await countTokens(text, Infinity)).tokens - 1)).toBeLessThan(0.02);
  });
  it('counts texts one after the other, so that many texts do not lengthen a turn of the event loop', async () => {
    const text = (from: number) =>
      Array.from({ length: 4_000 }, (_, number) => `Line ${(from + number) * 7919} of the quick fox`).join('\n');
    const counting = { isDone: false, turns: 0 };
    const endedIn = Array.from({ length: 20 }, async (_, place) => {
      await countTokens(text(place * 4_000), Infinity);
      return counting.turns;
    });
    const all = Promise.all(endedIn).finally(() => (counting.isDone = true));
    for (; !counting.isDone; counting.turns++) await setImmediate();
    // If they were counted concurrently, all of them would finish in one or two turns.
    expect(new Set(await all).size).toBeGreaterThan(10);
  });
});
