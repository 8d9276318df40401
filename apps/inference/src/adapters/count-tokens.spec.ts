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
      fc.asyncProperty(prose, async (text) => expect(await countTokens(text)).toBe(whole(text))),
      { numRuns: 30 },
    );
  });
  it.each(['漢'.repeat(64_000), 'a'.repeat(200_000), '😀'.repeat(50_000), ' '.repeat(300_000), '-'.repeat(300_000), '7'.repeat(300_000)])(
    'lets others have their turn in between (%.1s…)',
    async (text) => {
      const counting = { isDone: false, turns: 0 };
      const counted = countTokens(text).finally(() => (counting.isDone = true));
      for (; !counting.isDone; counting.turns++) await setImmediate();
      expect([(await counted) > 0, counting.turns > 1]).toEqual([true, true]);
    },
  );
  it('counts nothing in nothing', async () => expect(await countTokens('')).toBe(0));
});
