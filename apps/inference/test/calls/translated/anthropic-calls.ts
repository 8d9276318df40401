import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { CallTargets } from '../../../src/workflows/calls/routes/call-targets.ts';
import type { CallsWorld } from '../calls-world.ts';
import { beginEvents, events } from '../mock-provider.ts';
import { delta, eventsIn, ofOpenAi, weather } from './streams.ts';

export function translatedMessages(start: () => CallsWorld): void {
  describe("a call in Anthropic's format of a model whose provider has another API", () => {
    let world: CallsWorld;
    const answerWith = (stream: string) =>
      (world.provider.respond = (res) => {
        beginEvents(res);
        res.end(stream);
      });
    const sent = () => JSON.parse(world.provider.requests[0]!.body) as Record<string, unknown>;
    beforeEach(() => {
      world = start();
      world.forgetTargets();
      world.provider.requests.length = 0;
      answerWith(ofOpenAi);
    });
    const question = { model: 'gpt', max_tokens: 99, messages: [{ role: 'user', content: 'Is it warm in Bern and Rome?' }] };
    const tools = [{ name: 'weather', description: 'Today', input_schema: weather }];
    const ask = (who: ReturnType<CallsWorld['caller']>, body: object) => world.ask('/v1/messages', who.headers, body);

    it('is translated for OpenAI, with images, results of tools and limits', async () => {
      const { status } = await ask(world.caller(), {
        ...question,
        system: [
          { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'Be kind.' },
        ],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
              { type: 'text', text: 'Where is this?', cache_control: { type: 'ephemeral' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Two cities.', signature: '' },
              { type: 'tool_use', id: 'toolu_a', name: 'weather', input: { city: 'Bern' } },
              { type: 'tool_use', id: 'toolu_b', name: 'weather', input: { city: 'Rome' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'toolu_a', content: [{ type: 'text', text: 'warm' }] },
              { type: 'tool_result', tool_use_id: 'toolu_b', content: 'no data', is_error: true },
              { type: 'text', text: 'Go on.' },
            ],
          },
        ],
        stop_sequences: ['END'],
        top_p: 0.9,
        tools,
        tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
        thinking: { type: 'adaptive' },
        metadata: { user_id: 'somebody' },
      });
      expect([status, world.provider.requests[0]?.path]).toEqual([200, '/v1/chat/completions']);
      expect(world.provider.requests[0]?.headers).toMatchObject({ authorization: 'Bearer sk-upstream' });
      const call = (id: string, city: string) => ({
        id,
        type: 'function',
        function: { name: 'weather', arguments: JSON.stringify({ city }) },
      });
      expect(sent()).toMatchObject({
        model: 'gpt-upstream',
        max_tokens: 99,
        top_p: 0.9,
        stop: ['END'],
        stream: true,
        stream_options: { include_usage: true },
        parallel_tool_calls: false,
        tools: [{ type: 'function', function: { name: 'weather', description: 'Today', parameters: weather } }],
        tool_choice: { type: 'function', function: { name: 'weather' } },
        messages: [
          { role: 'system', content: 'Be brief.\n\nBe kind.' },
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
              { type: 'text', text: 'Where is this?' },
            ],
          },
          { role: 'assistant', tool_calls: [call('toolu_a', 'Bern'), call('toolu_b', 'Rome')] },
          { role: 'tool', tool_call_id: 'toolu_a', content: 'warm' },
          { role: 'tool', tool_call_id: 'toolu_b', content: expect.stringContaining('no data') },
          { role: 'user', content: 'Go on.' },
        ],
      });
    });
    it('is answered as a whole, and charged as reported', async () => {
      const who = world.caller();
      const { status, text } = await ask(who, { ...question, tools });
      expect([status, JSON.parse(text)]).toEqual([
        200,
        {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          role: 'assistant',
          model: 'gpt-upstream',
          content: [
            { type: 'thinking', thinking: 'Two cities.', signature: '' },
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'call_0', name: 'weather', input: { city: 'Bern' } },
            { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rome' } },
          ],
          stop_reason: 'tool_use',
          stop_sequence: null,
          usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 30, output_tokens: 12 },
        },
      ]);
      expect(await world.recordOf(who)).toMatchObject([
        { endpoint: 'messages', usage: { input_tokens: 40, cache_read_tokens: 30, output_tokens: 12, estimated: false } },
      ]);
    });
    it('is answered in events in the order of Anthropic', async () => {
      const who = world.caller();
      const { text } = await ask(who, { ...question, tools, stream: true });
      const all = eventsIn(text);
      const block = (index: number, content_block: object, ...deltas: object[]) => [
        { type: 'content_block_start', index, content_block: expect.objectContaining(content_block) },
        ...deltas.map((each) => ({ type: 'content_block_delta', index, delta: each })),
        { type: 'content_block_stop', index },
      ];
      const input = (city: string) => ['{"city":', `"${city}"}`].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      expect(all).toEqual([
        { type: 'message_start', message: expect.objectContaining({ role: 'assistant', content: [], model: 'gpt-upstream' }) },
        ...block(0, { type: 'thinking' }, { type: 'thinking_delta', thinking: 'Two cities.' }),
        ...block(1, { type: 'text' }, { type: 'text_delta', text: 'Let me look.' }),
        ...block(2, { type: 'tool_use', id: 'call_0', name: 'weather', input: {} }, ...input('Bern')),
        // It is held back until the first call is complete.
        ...block(3, { type: 'tool_use', id: 'call_1' }, { type: 'input_json_delta', partial_json: '{"city":"Rome"}' }),
        {
          type: 'message_delta',
          delta: { stop_reason: 'tool_use', stop_sequence: null },
          usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 30, output_tokens: 12 },
        },
        { type: 'message_stop' },
      ]);
      expect(await world.recordOf(who)).toMatchObject([{ usage: { input_tokens: 40, output_tokens: 12, estimated: false } }]);
    });
    it.each<[string, object]>([
      ['top_k', { top_k: 5 }],
      ['output_config.effort', { output_config: { effort: 'toString' } }],
      ['tool_choice.type', { tool_choice: { type: 'toString' } }],
      ['mcp_servers', { mcp_servers: [{}] }],
      ['tools[0].type', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
      ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] }],
    ])('is refused before it is sent for %s, which is named', async (path, field) => {
      const who = world.caller();
      const { status, text } = await ask(who, { ...question, ...field });
      const { type, error } = JSON.parse(text) as { type: string; error: { type: string; code: string; message: string } };
      expect([status, type, error.type, error.code]).toEqual([400, 'error', 'invalid_request_error', 'unsupported_parameter']);
      expect(error.message).toContain(path);
      expect([world.provider.requests, await world.recordOf(who)]).toEqual([[], []]);
    });
    it('ends with an error event if the stream of the provider breaks', async () => {
      const who = world.caller();
      answerWith(events(delta({ role: 'assistant', content: 'Let me' })));
      const { text } = await ask(who, { ...question, stream: true });
      expect(eventsIn(text).at(-1)).toMatchObject({ type: 'error', error: { code: 'recorded_not_visible' } });
      expect(text).not.toContain('message_stop');
      expect(await world.recordOf(who)).toMatchObject([{ status: 'broken' }]);
    });
    it('ends at the provider too when its stream is silent for too long', async () => {
      const left = Promise.withResolvers<unknown>();
      world.provider.respond = (res) => {
        res.once('close', left.resolve);
        beginEvents(res);
        res.write(events(delta({ role: 'assistant', content: 'Let me' })));
      };
      const { text } = await ask(world.caller(), { ...question, stream: true });
      expect(eventsIn(text).at(-1)).toMatchObject({ type: 'error' });
      await left.promise;
    });
    it('may be answered as a whole for longer than a provider may be silent', async () => {
      world.provider.respond = (res) => {
        beginEvents(res);
        // The limit is a second. Each pause is shorter, and all of them are longer.
        const parts = ofOpenAi.split(/(?<=\n\n)/);
        const sending = setInterval(() => {
          if (parts.length > 0) return void res.write(parts.shift());
          clearInterval(sending);
          res.end();
        }, 150);
      };
      expect((await ask(world.caller(), question)).status).toBe(200);
    });
    it('may have cost something if the provider does not answer', async () => {
      const who = world.caller();
      world.provider.respond = () => undefined;
      expect((await ask(who, question)).status).toBe(503);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'unsettled' }]);
    });
    it('shows routes the limits of a provider that refuses it', async () => {
      world.provider.respond = (res) => {
        const limits = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '60s' };
        res.writeHead(400, { 'content-type': 'application/json', ...limits }).end('{"error":{"message":"too long"}}');
      };
      expect((await ask(world.caller(), question)).status).toBe(400);
      expect(world.service.part(CallTargets).of('gpt').isExhausted).toBe(true);
    });
    it('is charged for what the model has written before a whole answer breaks', async () => {
      const who = world.caller();
      answerWith(events(delta({ role: 'assistant', content: 'warm '.repeat(500) })));
      expect((await ask(who, question)).status).toBe(503);
      const [record] = await world.recordOf(who);
      expect(record).toMatchObject({ status: 'broken', usage: { estimated: true } });
      expect(record!.usage.output_tokens).toBeGreaterThan(400);
    });
    it('is charged for what the model has written before it fell silent, although the caller has left', async () => {
      const who = world.caller();
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(events(delta({ role: 'assistant', content: 'warm '.repeat(500) })));
      };
      const sending = world.send('/v1/messages', who.headers, question).on('error', () => undefined);
      await waitFor(() => world.service.part(CallTargets).of('gpt').firstByteMillis(false) !== null, { what: 'the first part' });
      sending.destroy();
      await waitFor(async () => (await world.recordOf(who)).length > 0, { what: 'the record' });
      const [record] = await world.recordOf(who);
      expect(record).toMatchObject({ status: 'broken', usage: { estimated: true } });
      expect(record!.usage.output_tokens).toBeGreaterThan(400);
    });
    it('is counted here by count_tokens, free of charge', async () => {
      const who = world.caller();
      const { text } = await world.ask('/v1/messages/count_tokens', who.headers, question);
      expect(JSON.parse(text).input_tokens).toBeGreaterThan(5);
      expect([world.provider.requests, await world.recordOf(who)]).toMatchObject([[], [{ cost_nano_dollars: 0 }]]);
    });
  });
}
