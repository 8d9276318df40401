import { describe, expect, it } from '@jest/globals';
import { LocalExtractive } from './local-extractive.ts';

describe('the offline model', () => {
  const model = new LocalExtractive();
  it('says what it is', async () => expect((await model.generate([{ role: 'user', text: 'Who are you?' }])).text).toMatch(/offline model/));
  it('answers alike to the same question', async () => {
    const turns = [{ role: 'user', text: 'Why?' }] as const;
    expect(await model.generate(turns)).toEqual(await model.generate(turns));
  });
  it('counts the tokens of all that it was told', async () => {
    const short = await model.generate([{ role: 'user', text: 'hello world' }]);
    const long = await model.generate([
      { role: 'user', text: 'hello world' },
      { role: 'assistant', text: 'hello world' },
    ]);
    expect(short.usage.inputTokens).toBe(2);
    expect(long.usage.inputTokens).toBe(4);
  });
});
