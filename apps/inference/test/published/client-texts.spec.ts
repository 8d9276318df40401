import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { derivedId } from '@parlance/http';
import { RequestReply } from '../../src/commands/request-reply.ts';
import { MessageById } from '../../src/projections/messages/message-by-id.ts';
import { PublishedBot } from './published-bot.ts';
import { png } from '../files.ts';

describe('the texts that a client sends with a message', () => {
  const bot = new PublishedBot();
  beforeAll(async () => {
    const model = { provider: 'local', model: 'local-extractive', context_window: 100_000 };
    const models = { providers: { local: { type: 'local' } }, models: [{ ...model, id: 'sees', capabilities: ['vision', 'documents'] }] };
    await bot.start({ PARLANCE_MODELS: JSON.stringify({ extends: 'builtin', ...models }) });
  });
  afterAll(async () => {
    await bot.stop();
    jest.restoreAllMocks();
  });

  async function begin(question: string, system: string) {
    const answering = bot.openai().chat.completions.create({
      model: 'local-extractive',
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: 'One.' },
        { role: 'assistant', content: 'Two.' },
        { role: 'user', content: question },
      ],
      temperature: 0.5,
      stop: 'END',
    });
    const call = await bot.model.call(question);
    call.say('So.').end();
    const replyId = (await answering).id.replace('chatcmpl-', '');
    return { call, replyId, conversationId: derivedId(replyId, 'conversation') };
  }

  it('are passed to a worker that reads the message from the rows, too', async () => {
    const { call, replyId, conversationId } = await begin('Three?', 'Answer in French.');
    const found = await bot.buses.queries.execute(new MessageById(conversationId, replyId));
    const again = {
      userId: 'ann',
      botId: bot.botId,
      replyId: newId(),
      parentId: found!.message.parent,
      continues: false,
      model: undefined,
      bot: null,
      reasoning: false,
      api: { apiId: bot.apiId, keyId: 'key-1' },
    };
    await bot.buses.commands.execute(new RequestReply(conversationId, again));
    const calls = () => bot.model.calls.filter(({ prompt }) => prompt.turns.at(-1)?.text === 'Three?');
    while (calls().length < 2) await new Promise((resolve) => setImmediate(resolve));
    const [, second] = calls();
    expect(second!.prompt.instruction).toBe(call.prompt.instruction);
    expect(second!.prompt.turns).toEqual(call.prompt.turns);
    expect(second!.prompt.parameters.stopSequences).toEqual(['END']);
    second!.end();
  });

  it('have the images of each turn, and none twice', async () => {
    const image = (width: number) => ({
      type: 'image_url' as const,
      image_url: { url: `data:image/png;base64,${png(width).toString('base64')}` },
    });
    const answering = bot.openai().chat.completions.create({
      model: 'sees',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'This?' }, image(2)] },
        { role: 'assistant', content: 'A point.' },
        { role: 'user', content: [image(3), { type: 'text', text: 'And this?' }] },
      ],
    });
    const call = await bot.model.call('And this?');
    call.say('A line.').end();
    await answering;
    const seen = call.prompt.turns.map(({ text, files = [] }) => [text, files.map(({ bytes }) => Buffer.from(bytes).readUInt32BE(16))]);
    expect(seen).toEqual([
      ['This?', [2]],
      ['A point.', []],
      ['And this?', [3]],
    ]);
  });

  it('are sealed wherever they are stored', async () => {
    const secret = randomBytes(12).toString('hex');
    const { call } = await begin('Sealed?', secret);
    expect(call.prompt.instruction).toContain(secret);
    const { dataDir } = bot.service.host.config;
    const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const stored = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
    expect(files.map(({ name }) => name)).toContain('inference.db');
    expect(stored.filter((bytes) => bytes.includes(secret))).toEqual([]);
  });
});
