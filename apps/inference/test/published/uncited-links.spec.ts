import { afterEach, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { PublishedBot } from './published-bot.ts';

const cited = 'https://docs.example.org/refunds';
const parts = ['See ht', 'tps://evil.test/?q=sec', 'ret and [this](https://ev', 'il.test) or ![x](', `${cited}) at `, cited];
const stripped = `See (link removed) and [this] or ![x](${cited}) at ${cited}`;

describe('links without a source, in the answers of a bot', () => {
  let bot: PublishedBot;
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    bot = await new PublishedBot().start(settings);
    bot.bots.chunks = [{ content: `A refund takes fourteen days: ${cited}`, source_id: 'refunds' }];
  };
  afterEach(async () => {
    await bot.stop();
    jest.restoreAllMocks();
  });
  const answered = async (question: string) => {
    const call = await bot.model.call(question);
    call
      .reason('Via https://evil.test/b')
      .say(...parts)
      .end();
  };
  /** The stream of a chat completion: its texts, and its reasoning. */
  const streamed = async (question: string) => {
    const messages = [{ role: 'user' as const, content: question }];
    const chunks = await bot.openai().chat.completions.create({ model: 'local-extractive', stream: true, messages });
    void answered(question);
    const deltas: { content?: string | null; reasoning_content?: string }[] = [];
    for await (const { choices } of chunks) deltas.push(choices[0]?.delta ?? {});
    const all = (name: 'content' | 'reasoning_content') => deltas.map((delta) => delta[name] ?? '').join('');
    return [all('content'), all('reasoning_content')];
  };
  /** The complete answer to a user, without an API key. */
  const own = async (question: string) => {
    const body = { bot_id: bot.botId, message: { content: [{ content_type: 'text', body: question }] } };
    const asking = request(bot.service.server).post('/conversation').set(bot.service.as('ann')).set('prefer', 'wait=20').send(body);
    const [{ body: answer }] = await Promise.all([asking, answered(question)]);
    return answer.message.content.findLast(({ content_type }: { content_type: string }) => content_type === 'text').body;
  };

  it('are removed from answers of published bots: from each part of a stream, and from the stored text', async () => {
    await start();
    const asking = bot.openai().responses.create({ model: 'local-extractive', input: 'Stored?' });
    void answered('Stored?');
    const { id, output_text } = await asking;
    expect(output_text).toBe(stripped);
    expect((await bot.openai().responses.retrieve(id)).output_text).toBe(stripped);
    expect(await streamed('Streamed?')).toEqual([stripped, 'Via (link removed)']);
  });
  it('stay in the conversations of users', async () => {
    await start();
    expect(await own('Mine?')).toBe(parts.join(''));
  });
  it('are removed there too with stripUncitedLinks = always, and stay everywhere with never', async () => {
    await start({ PARLANCE_STRIP_UNCITED_LINKS: 'always' });
    expect(await own('Mine?')).toBe(stripped);
    await bot.stop();
    await start({ PARLANCE_STRIP_UNCITED_LINKS: 'never' });
    expect((await streamed('Streamed?'))[0]).toBe(parts.join(''));
  });
});
