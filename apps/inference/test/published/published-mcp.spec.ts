import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { VERSION } from '@parlance/foundation';
import { waitFor } from '@parlance/testing';
import { MOST_MEMBERS } from '../../src/http/published/body-bounds.ts';
import { PublishedBot } from './published-bot.ts';

const manyMembers = Array.from({ length: MOST_MEMBERS + 1 }, (_, index) => [`m${index}`, 'x'] as const);
const REVISIONS = { '2025': 'legacy', '2026': 'auto' } as const;

describe('a published bot as an MCP server', () => {
  const bot = new PublishedBot();
  const clients: Client[] = [];
  const connected = async (mode: 'legacy' | 'auto' = 'auto', as = bot.as()) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${bot.endpoint}/mcp`), { fetch: as }));
    return client;
  };
  const raw = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const its = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const answer = await bot.as()(`${bot.endpoint}/mcp`, { method: 'POST', headers: its, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };

  beforeAll(async () => {
    await bot.start();
  });
  afterEach(async () => {
    bot.bots.chunks = [];
    Object.assign(bot.bots, { hasKnowledge: true, showsSources: true, isAway: false, isDeleted: false });
    for (const client of clients.splice(0)) await client.close();
  });
  afterAll(async () => {
    await bot.stop();
    jest.restoreAllMocks();
  });

  describe.each(Object.entries(REVISIONS))('to a client of the revision of %s', (revision, mode) => {
    it('has two tools', async () => {
      const { tools } = await (await connected(mode)).listTools();
      expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
        ['ask', ['question']],
        ['search_knowledge', ['query']],
      ]);
    });

    it('introduces itself with the title and the description of the bot', async () => {
      bot.bots.texts = { title: 'Physics', description: 'Answers questions about water.' };
      const named = await connected(mode);
      expect(named.getServerVersion()).toMatchObject({ name: 'Physics', title: 'Physics', version: VERSION });
      expect(named.getInstructions()).toBe('Answers questions about water.');
      bot.bots.texts = { title: 'Guide', description: '' };
      const bare = await connected(mode);
      expect([bare.getServerVersion()?.name, bare.getInstructions()]).toEqual(['Guide', undefined]);
      bot.bots.isDeleted = true;
      expect((await connected(mode)).getServerVersion()?.name).toBe('parlance');
    });

    it('answers a question, with its sources, and continues with its conversation', async () => {
      const client = await connected(mode);
      bot.bots.chunks = [{ content: 'Water boils at 100 degrees.', source_id: 'physics', page_number: 3 }];
      const asking = client.callTool({ name: 'ask', arguments: { question: `When in ${revision}?` } });
      (await bot.model.call(`When in ${revision}?`)).say('At 100 degrees [^1].').end();
      const { content, structuredContent, isError } = await asking;
      expect([content, isError]).toEqual([[{ type: 'text', text: 'At 100 degrees [^1].' }], undefined]);
      expect(structuredContent).toEqual({
        answer: 'At 100 degrees [^1].',
        conversation_id: expect.any(String),
        message_id: expect.any(String),
        sources: [{ number: 1, source: 'physics.pdf', source_name: 'physics.pdf', page_number: 3 }],
      });
      const { conversation_id } = structuredContent as { conversation_id: string };
      const again = client.callTool({ name: 'ask', arguments: { question: `Why in ${revision}?`, conversation_id } });
      const call = await bot.model.call(`Why in ${revision}?`);
      call.say('So.').end();
      expect((await again).structuredContent).toMatchObject({ conversation_id, answer: 'So.' });
      expect(call.prompt.turns.map(({ text }) => text)).toEqual([`When in ${revision}?`, 'At 100 degrees [^1].', `Why in ${revision}?`]);
    });

    it('reports progress to a client that requests it', async () => {
      const client = await connected(mode);
      const { promise: progress, resolve } = Promise.withResolvers<unknown>();
      const asking = client.callTool({ name: 'ask', arguments: { question: `Why slow in ${revision}?` } }, { onprogress: resolve });
      const call = await bot.model.call(`Why slow in ${revision}?`);
      expect(await progress).toEqual({ progress: 1, message: 'The bot is writing.' });
      call.say('So.').end();
      expect((await asking).structuredContent).toMatchObject({ answer: 'So.' });
    });

    it('starts no conversation under an unknown ID', async () => {
      const client = await connected(mode);
      const conversation_id = '01K0000000000000000000000N';
      const answer = await client.callTool({ name: 'ask', arguments: { question: 'Why?', conversation_id } });
      expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^There is no such conversation/) }] });
    });

    it('does not announce changes of its tools', async () => {
      expect((await connected(mode)).getServerCapabilities()).toMatchObject({ tools: { listChanged: false } });
    });

    it('finds texts of its knowledge', async () => {
      bot.bots.chunks = ['a', 'b', 'c'].map((source_id) => ({ content: `Text ${source_id}.`, source_id }));
      const found = await (await connected(mode)).callTool({ name: 'search_knowledge', arguments: { query: 'text', limit: 2 } });
      expect(found.content).toEqual([{ type: 'text', text: 'a.pdf:\nText a.\n\nb.pdf:\nText b.' }]);
      expect(found.structuredContent).toMatchObject({ texts: [{ content: 'Text a.', source: 'a.pdf' }, { content: 'Text b.' }] });
    });
  });

  it.each([
    ['has no knowledge', { hasKnowledge: false }, 'This bot has no knowledge.'],
    ['does not show its sources', { showsSources: false }, 'This bot does not show the texts of its knowledge. Use the tool ask.'],
  ])('returns as a result that it %s', async (_, settings, text) => {
    Object.assign(bot.bots, settings, { chunks: [{ content: 'Secret.', source_id: 's' }] });
    const found = await (await connected()).callTool({ name: 'search_knowledge', arguments: { query: 'text' } });
    expect(found).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
  });

  it('returns as a result that a conversation is unknown, even one of another API', async () => {
    const client = await connected();
    const asking = client.callTool({ name: 'ask', arguments: { question: 'Mine?' } });
    (await bot.model.call('Mine?')).say('Yes.').end();
    const { conversation_id } = (await asking).structuredContent as { conversation_id: string };
    const other = await connected('auto', bot.as('01K00000000000000000000B0B', 'key-2'));
    const refused = await other.callTool({ name: 'ask', arguments: { question: 'Yours?', conversation_id } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('conversation') }] });
  });

  it('returns as a result that its model failed, without internals', async () => {
    const asking = (await connected()).callTool({ name: 'ask', arguments: { question: 'Why fail?' } });
    (await bot.model.call('Why fail?')).fail(new Error('ECONNREFUSED 10.0.0.1'));
    const answer = await asking;
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).not.toContain('10.0.0.1');
  });

  it('refuses wrong arguments', async () => {
    const client = await connected();
    for (const wrong of [{}, { question: '' }, { question: 'Why?', conversation_id: '../x' }, { question: 'Why?', other: 1 }]) {
      const callsBefore = bot.model.calls.length;
      const answer = await client.callTool({ name: 'ask', arguments: wrong }).catch(() => ({ isError: true }));
      expect([wrong, answer.isError, bot.model.calls.length]).toEqual([wrong, true, callsBefore]);
    }
  });

  it('charges a search to the owner, with the key', async () => {
    bot.bots.settings = { embedding: { model: 'text-embedding-3-small', tokens: 1_000, estimated: false } };
    await (await connected()).callTool({ name: 'search_knowledge', arguments: { query: 'text' } });
    bot.bots.settings = {};
    const charged = async () => {
      const log = await bot.service.host.published.of('inference');
      const events = (await log!.after(0)).events as readonly { type: string; data: object }[];
      return events.find(({ type }) => type === 'parlance.inference.knowledge-charged.v1');
    };
    await waitFor(async () => (await charged()) !== undefined, { what: 'the charge' });
    expect((await charged())!.data).toMatchObject({
      user_id: 'ann',
      bot_id: bot.botId,
      api_id: bot.apiId,
      api_key_id: 'key-1',
      model: 'text-embedding-3-small',
      usage: { input_tokens: 1_000 },
    });
  });

  it.each([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]],
    ['a text', 'tools/list'],
    [
      'more arguments than any tool has',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: Object.fromEntries(manyMembers) } },
    ],
  ])('refuses %s', async (_, body) => {
    const { status, text } = await raw(body);
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'invalid_body' }]);
  });

  it('has no subscriptions', async () => {
    const { status, text } = await raw({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen' });
    expect([status, JSON.parse(text)]).toMatchObject([200, { jsonrpc: '2.0', id: 7, error: { code: -32_601 } }]);
  });
});
