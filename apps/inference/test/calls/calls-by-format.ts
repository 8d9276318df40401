import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CallsWorld, errorOf, inOneMinute } from './calls-world.ts';
import { beginEvents, json } from './mock-provider.ts';

export function callsByFormat(start: () => CallsWorld): void {
  describe('a call of a model', () => {
    let world: CallsWorld;
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, { choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } });
    });

    const caller = (terms?: object) => world.caller(terms);
    const chat = (...call: Parameters<CallsWorld['chat']>) => world.chat(...call);
    const recordOf = (who: { readonly tokenId: string }) => world.recordOf(who);

    it('may be in the format of Anthropic', async () => {
      const who = caller();
      const reported = { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 4 };
      world.provider.respond = (res) => json(res, 200, { type: 'message', content: [], usage: reported });
      const answer = await world.ask(
        '/v1/messages',
        { ...who.headers, 'anthropic-version': '2099-01-01' },
        { model: 'claude', max_tokens: 9 },
      );
      expect([answer.status, world.provider.requests[0]?.path]).toEqual([200, '/v1/messages']);
      expect(world.provider.requests[0]?.headers).toMatchObject({ 'x-api-key': 'sk-anthropic', 'anthropic-version': '2099-01-01' });
      expect(await recordOf(who)).toMatchObject([
        { endpoint: 'messages', usage: { input_tokens: 45, cache_read_tokens: 30, cache_write_tokens: 5, output_tokens: 4 } },
      ]);
    });
    it('may be streamed in the format of Anthropic, whose report is in two events', async () => {
      const who = caller();
      const named = (event: { type: string; [field: string]: unknown }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
      const stream = [
        named({ type: 'message_start', message: { usage: { input_tokens: 10, cache_read_input_tokens: 30, output_tokens: 1 } } }),
        named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
        named({ type: 'message_delta', delta: {}, usage: { output_tokens: 15 } }),
        named({ type: 'message_stop' }),
      ].join('');
      // In two parts, cut within an event.
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(stream.slice(0, 90), () => setImmediate(() => res.end(stream.slice(90))));
      };
      const { text } = await world.ask('/v1/messages', who.headers, { model: 'claude', max_tokens: 90, stream: true, messages: [] });
      expect(text).toBe(stream);
      expect(await recordOf(who)).toMatchObject([
        { usage: { input_tokens: 40, cache_read_tokens: 30, output_tokens: 15, estimated: false } },
      ]);
    });
    it("is counted if a stream in Anthropic's format has no report at its end", async () => {
      const who = caller();
      const named = (event: { type: string; [field: string]: unknown }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(named({ type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } }));
        res.write(named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One two three four five.' } }));
        res.end(named({ type: 'message_stop' }));
      };
      await world.ask('/v1/messages', who.headers, { model: 'claude', max_tokens: 90, stream: true, messages: [] });
      expect(await recordOf(who)).toMatchObject([{ status: 'completed', usage: { input_tokens: 10, output_tokens: 6, estimated: true } }]);
    });
    it("may count the tokens of a request in Anthropic's format, which is free", async () => {
      const who = caller({ tokens_per_minute: 1 });
      world.provider.respond = (res) => json(res, 200, { input_tokens: 14 });
      const request = { model: 'claude', messages: [{ role: 'user', content: 'Hello?' }] };
      const answer = await world.ask('/v1/messages/count_tokens', who.headers, request);
      expect([JSON.parse(answer.text), answer.headers['x-parlance-cost']]).toEqual([{ input_tokens: 14 }, '0']);
      expect(world.provider.requests[0]?.path).toBe('/v1/messages/count_tokens');
      const offline = await world.ask('/v1/messages/count_tokens', who.headers, { ...request, model: 'local-extractive' });
      expect(JSON.parse(offline.text).input_tokens).toBeGreaterThan(2);
      const free = { endpoint: 'messages/count_tokens', cost_nano_dollars: 0, usage: { input_tokens: 0 } };
      expect(await recordOf(who)).toMatchObject([free, free]);
    });
    it('may be for embeddings', async () => {
      const who = caller();
      world.provider.respond = (res) => json(res, 200, { data: [], usage: { prompt_tokens: 8, total_tokens: 8 } });
      await world.ask('/v1/embeddings', who.headers, { model: 'vectors', input: ['a'] });
      expect(await recordOf(who)).toMatchObject([
        { endpoint: 'embeddings', usage: { input_tokens: 8, output_tokens: 0 }, cost_nano_dollars: 8_000 },
      ]);
    });
    it('may be for the largest batch of embeddings', async () => {
      const who = caller();
      const data = [{ embedding: 'A'.repeat((2_048 * 3_072 * 4 * 4) / 3) }];
      world.provider.respond = (res) => json(res, 200, { data, usage: { prompt_tokens: 8, total_tokens: 8 } });
      const { status, text } = await world.ask('/v1/embeddings', who.headers, { model: 'vectors', input: ['a'] });
      expect([status, text.length > data[0]!.embedding.length]).toEqual([200, true]);
      expect(await recordOf(who)).toMatchObject([{ status: 'completed', usage: { input_tokens: 8, estimated: false } }]);
    });
    it.each([
      ['/v1/chat/completions', 'openai', false],
      ['/v1/chat/completions', 'openai', true],
      ['/v1/messages', 'anthropic', false],
      ['/v1/messages', 'anthropic', true],
    ])('is answered by the offline model at %s (%s, stream: %s)', async (path, _, stream) => {
      const who = caller();
      const body = { model: 'local-extractive', max_tokens: 100, stream, messages: [{ role: 'user', content: 'Hello?' }] };
      const { status, text } = await world.ask(path, who.headers, body);
      expect([status, text]).toEqual([200, expect.stringContaining('offline model')]);
      expect(await recordOf(who)).toMatchObject([{ status: 'completed', cost_nano_dollars: 0 }]);
    });

    it.each<[string, object | string, [number, string]]>([
      ['without a model', { messages: [] }, [400, 'invalid_body']],
      ['with a model twice', '{"model":"gpt","model":"claude"}', [400, 'malformed_body']],
      ['that is no JSON', '{"model":"gpt"', [400, 'malformed_body']],
      ['that is a list', '[]', [400, 'malformed_body']],
      ['with a wrong stream', { model: 'gpt', stream: 'yes' }, [400, 'invalid_body']],
      ['with wrong stream options', { model: 'gpt', stream: true, stream_options: [] }, [400, 'invalid_body']],
      ['with no output', { model: 'gpt', max_tokens: 0 }, [400, 'invalid_body']],
      ['of an unknown model', { model: 'nothing' }, [404, 'model_not_found']],
      ['of an embedding model', { model: 'vectors' }, [400, 'unsupported_parameter']],
    ])('is refused in the form of its format if its request is %s', async (_, body, expected) => {
      const who = caller();
      expect(errorOf(await chat(who.headers, body))).toEqual(expected);
      expect([world.provider.requests, await recordOf(who)]).toEqual([[], []]);
      const { status, text } = await world.ask('/v1/messages', who.headers, { model: 'nothing' });
      expect([status, JSON.parse(text)]).toMatchObject([
        404,
        { type: 'error', error: { type: 'not_found_error', code: 'model_not_found' } },
      ]);
    });
    it('needs a token with the scope, and a model that its terms allow', async () => {
      expect(errorOf(await chat(world.service.as('ann')))).toEqual([403, 'models_token_needed']);
      expect(errorOf(await chat(world.service.asToken('t', 'ann')))).toEqual([403, 'models_token_needed']);
      expect(errorOf(await chat(caller({ models: ['claude', 'gp'] }).headers))).toEqual([404, 'model_not_found']);
      expect((await chat(caller({ models: ['g*'] }).headers)).status).toBe(200);
    });
    it('is one of the models that a token lists', async () => {
      const { headers } = caller({ models: ['gpt', 'vec*'] });
      const { data } = JSON.parse((await world.ask('/v1/models', headers)).text) as { data: { id: string; owned_by: string }[] };
      expect(data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
        ['gpt', 'ours'],
        ['vectors', 'ours'],
      ]);
      expect(JSON.parse((await world.ask('/v1/models/gpt', headers)).text)).toMatchObject({ id: 'gpt', object: 'model' });
      expect(errorOf(await world.ask('/v1/models/claude', headers))).toEqual([404, 'model_not_found']);
    });
    it('is limited by the terms of its token, and says what is left', async () => {
      const body = { model: 'gpt', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
      const [first, second, third] = await inOneMinute(async () => {
        const { headers } = caller({ requests_per_minute: 2, tokens_per_minute: 5_000 });
        return [await chat(headers, body), await chat(headers, body), await chat(headers, body)] as const;
      });
      expect([first.status, second.status, errorOf(third)]).toEqual([200, 200, [429, 'rate_limit_exceeded']]);
      expect(first.headers).toMatchObject({
        'x-ratelimit-limit-requests': '2',
        'x-ratelimit-remaining-requests': '1',
        'x-ratelimit-limit-tokens': '5000',
        'x-ratelimit-reset-requests': expect.stringMatching(/^\d+s$/),
      });
      expect(third.headers).toMatchObject({
        'x-ratelimit-limit-requests': '2',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-limit-tokens': '5000',
        'x-ratelimit-remaining-tokens': expect.stringMatching(/^4\d{3}$/),
        'x-ratelimit-reset-requests': expect.stringMatching(/^\d+s$/),
      });
      const long = await chat(caller({ tokens_per_minute: 50 }).headers, body);
      expect([errorOf(long), long.headers['x-ratelimit-remaining-tokens']]).toEqual([[429, 'rate_limit_exceeded'], '50']);
    });
  });
}
