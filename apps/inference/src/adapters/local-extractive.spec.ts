import { describe, expect, it } from '@jest/globals';
import type { Turn } from './chat-model.ts';
import { LocalExtractive } from './local-extractive.ts';

describe('the offline model', () => {
  const model = new LocalExtractive();
  const generate = (turns: readonly Turn[], signal = new AbortController().signal) => model.generate(turns, signal);
  it('says that it is the offline model', async () =>
    expect((await generate([{ role: 'user', text: 'Who are you?' }])).text).toMatch(/offline model/));
  it('gives the same answer to the same question', async () => {
    const turns = [{ role: 'user', text: 'Why?' }] as const;
    expect(await generate(turns)).toEqual(await generate(turns));
  });
  it('counts the tokens of all that it was told', async () => {
    const short = await generate([{ role: 'user', text: 'hello world' }]);
    const long = await generate([
      { role: 'user', text: 'hello world' },
      { role: 'assistant', text: 'hello world' },
    ]);
    expect(short.usage.inputTokens).toBe(2);
    expect(long.usage.inputTokens).toBe(4);
  });
  it('estimates the tokens of a long text, and marks them as estimated', async () => {
    const { usage } = await generate([{ role: 'user', text: 'hello world '.repeat(20_000) }]);
    expect(usage.estimated).toBe(true);
    expect(Math.abs(usage.inputTokens / 40_000 - 1)).toBeLessThan(0.05);
  });
  it('stops when no reader waits any more', async () => {
    await expect(generate([{ role: 'user', text: 'hello' }], AbortSignal.abort())).rejects.toThrow();
  });
});
