import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PublishedBot } from './published/published-bot.ts';

describe('the request for the permission to use a bot', () => {
  const bot = new PublishedBot();
  const ask = async (content: string) => {
    const answering = bot.openai().chat.completions.create({ model: 'local-extractive', messages: [{ role: 'user', content }] });
    const call = await bot.model.call(content);
    call.say('Fourteen days.').end();
    const { choices } = await answering;
    expect(choices[0]!.message.content).toBe('Fourteen days.');
    return call.prompt;
  };

  beforeAll(async () => {
    await bot.start();
  });
  afterAll(async () => {
    await bot.stop();
    jest.restoreAllMocks();
  });

  it('is the only request for a bot without knowledge, and the instruction of the bot reaches the model', async () => {
    Object.assign(bot.bots, { givesPrompts: true, hasKnowledge: false });
    expect((await ask('How long does a refund take?')).instruction).toBe('Be brief.');
    expect(bot.bots.searches).toEqual([]);
  });
  it('is followed by a search for a bot with knowledge, because each question finds other chunks', async () => {
    Object.assign(bot.bots, { givesPrompts: true, hasKnowledge: true, chunks: [{ content: 'Fourteen days.', source_id: 'refunds' }] });
    expect((await ask('And with a voucher?')).knowledge?.chunks).toHaveLength(1);
    expect(bot.bots.searches).toMatchObject([{ sub: 'ann', query: 'And with a voucher?' }]);
  });
  it('is followed by a search if a replica of an earlier release leaves the prompt out', async () => {
    Object.assign(bot.bots, { givesPrompts: false, hasKnowledge: false });
    expect((await ask('And abroad?')).instruction).toBe('Be brief.');
    expect(bot.bots.searches.at(-1)).toMatchObject({ query: 'And abroad?' });
  });
});
