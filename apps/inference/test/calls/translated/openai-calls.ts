import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Guardrails } from '@parlance/guardrails';
import OpenAI from 'openai';
import { TextGuardrails } from '../../../src/workflows/guardrails/text-guardrails.ts';
import { type CallsWorld, errorOf } from '../calls-world.ts';
import { beginEvents, json } from '../mock-provider.ts';
import { eventsIn, ofAnthropic, weather } from './streams.ts';

export function translatedCalls(start: () => CallsWorld): void {
  describe("a call in OpenAI's format of a model whose provider has another API", () => {
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
      answerWith(ofAnthropic);
    });
    afterEach(() => void jest.restoreAllMocks());

    const question = { model: 'claude', messages: [{ role: 'user', content: 'Is it warm in Bern and Rome?' }] };
    const tools = [{ type: 'function', function: { name: 'weather', description: 'Today', parameters: weather } }];

    it('is translated for Anthropic, with images, results of tools and limits', async () => {
      const who = world.caller();
      const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
      const call = (id: string, city: string) => ({
        id,
        type: 'function',
        function: { name: 'weather', arguments: JSON.stringify({ city }) },
      });
      const { status } = await world.chat(who.headers, {
        model: 'claude',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'Where is this?' }, image] },
          { role: 'assistant', content: null, tool_calls: [call('call_a', 'Bern'), call('call_b', 'Rome')] },
          { role: 'tool', tool_call_id: 'call_a', content: 'warm' },
          { role: 'tool', tool_call_id: 'call_b', content: 'cold' },
        ],
        max_completion_tokens: 99,
        stop: 'END',
        tools,
        tool_choice: 'required',
        parallel_tool_calls: false,
        user: 'somebody',
      });
      expect([status, world.provider.requests[0]?.path]).toEqual([200, '/v1/messages']);
      expect(world.provider.requests[0]?.headers).toMatchObject({ 'x-api-key': 'sk-anthropic' });
      expect(sent()).toMatchObject({
        model: 'claude-upstream',
        stream: true,
        max_tokens: 99,
        stop_sequences: ['END'],
        system: [{ type: 'text', text: 'Be brief.' }],
        tools: [{ name: 'weather', description: 'Today', input_schema: weather }],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Where is this?' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'call_a', name: 'weather', input: { city: 'Bern' } },
              { type: 'tool_use', id: 'call_b', name: 'weather', input: { city: 'Rome' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_a', content: 'warm' },
              { type: 'tool_result', tool_use_id: 'call_b', content: 'cold' },
            ],
          },
        ],
      });
    });
    it('is answered as a whole, and charged as reported', async () => {
      const who = world.caller();
      const { status, text, headers } = await world.chat(who.headers, { ...question, tools });
      const call = (id: string, city: string) => ({
        id,
        type: 'function',
        function: { name: 'weather', arguments: `{"city":"${city}"}` },
      });
      expect([status, JSON.parse(text)]).toEqual([
        200,
        {
          id: expect.stringMatching(/^chatcmpl-/),
          object: 'chat.completion',
          created: expect.any(Number),
          model: 'claude-upstream',
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant',
                content: 'Let me look.',
                refusal: null,
                tool_calls: [call('toolu_0', 'Bern'), call('toolu_1', 'Rome')],
              },
              logprobs: null,
              finish_reason: 'tool_calls',
            },
          ],
          usage: {
            prompt_tokens: 45,
            completion_tokens: 20,
            total_tokens: 65,
            prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 },
          },
        },
      ]);
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-parlance-model': 'claude' });
      expect(await world.recordOf(who)).toMatchObject([
        {
          endpoint: 'chat/completions',
          status: 'completed',
          usage: { input_tokens: 45, cache_read_tokens: 30, cache_write_tokens: 5, output_tokens: 20, estimated: false },
        },
      ]);
    });
    it.each([true, false])('is answered in events in the order of OpenAI (with its usage: %s)', async (include_usage) => {
      const who = world.caller();
      const stream_options = { include_usage };
      const { text, headers, trailers } = await world.chat(who.headers, { ...question, tools, stream: true, stream_options });
      const [head, ...rest] = eventsIn(text).map(({ choices, usage }) => {
        const [choice] = choices as { delta: object; finish_reason: string | null }[];
        return choice ? (choice.finish_reason ?? choice.delta) : usage;
      });
      const call = (index: number, city: string) => [
        { tool_calls: [{ index, id: `toolu_${index}`, type: 'function', function: { name: 'weather', arguments: '' } }] },
        { tool_calls: [{ index, function: { arguments: '{"city":' } }] },
        { tool_calls: [{ index, function: { arguments: `"${city}"}` } }] },
      ];
      expect(head).toEqual({ role: 'assistant', content: '', refusal: null });
      expect(rest).toEqual([
        // Pieces that arrive together are joined.
        { content: 'Let me look.' },
        ...call(0, 'Bern'),
        ...call(1, 'Rome'),
        'tool_calls',
        ...(include_usage ? [expect.objectContaining({ prompt_tokens: 45, completion_tokens: 20 })] : []),
      ]);
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
      expect(headers['content-type']).toBe('text/event-stream');
      expect(trailers['x-parlance-cost']).toMatch(/^0\.0000/);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'completed', usage: { input_tokens: 45, output_tokens: 20 } }]);
    });
    it('makes a round of a tool with the SDK of OpenAI', async () => {
      const { port } = world.service.server.address() as { port: number };
      const { authorization: _, ...defaultHeaders } = world.caller().headers as Record<string, string>;
      const client = new OpenAI({ apiKey: 'unused', baseURL: `http://127.0.0.1:${port}/v1`, defaultHeaders, maxRetries: 0 });
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Is it warm?' }];
      const asked = { model: 'claude', messages, tools: tools as OpenAI.ChatCompletionTool[] };
      const first = await client.chat.completions.stream(asked).finalChatCompletion();
      const message = first.choices[0]!.message;
      messages.push(message);
      for (const { id } of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: 'warm' });
      world.provider.requests.length = 0;
      await client.chat.completions.create(asked);
      expect((sent()['messages'] as { content: unknown }[]).slice(1).map(({ content }) => content)).toMatchObject([
        [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_0', name: 'weather', input: { city: 'Bern' } },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
        ],
        [
          { type: 'tool_result', tool_use_id: 'toolu_0', content: 'warm' },
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'warm' },
        ],
      ]);
    });
    it.each<[string, object]>([
      ['n', { n: 2 }],
      ['logprobs', { logprobs: true }],
      ['logit_bias', { logit_bias: { 5: 1 } }],
      ['seed', { seed: 1 }],
      ['response_format', { response_format: { type: 'json_object' } }],
      ['audio', { audio: { voice: 'alloy' } }],
      ['something_new', { something_new: 1 }],
      ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }],
    ])('is refused before it is sent for %s, which is named', async (path, field) => {
      const who = world.caller();
      const { status, text } = await world.chat(who.headers, { ...question, ...field });
      const { error } = JSON.parse(text) as { error: { code: string; message: string; param: string } };
      expect([status, error.code, error.param]).toEqual([400, 'unsupported_parameter', path]);
      expect(error.message).toContain(path);
      expect([world.provider.requests, await world.recordOf(who)]).toEqual([[], []]);
    });
    it('passes on a refusal of the provider in the form of OpenAI', async () => {
      const who = world.caller();
      world.provider.respond = (res) =>
        json(res, 400, { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long' } });
      const { status, text } = await world.chat(who.headers, question);
      expect([status, JSON.parse(text)]).toEqual([
        400,
        { error: { message: 'prompt is too long', type: 'invalid_request_error', param: null, code: null } },
      ]);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'refused', cost_nano_dollars: 0 }]);
    });
    it('is refused without the text of the provider if it is not available', async () => {
      const who = world.caller();
      world.provider.respond = (res) => json(res, 529, { type: 'error', error: { type: 'overloaded_error', message: 'account 7' } });
      const answer = await world.chat(who.headers, question);
      expect(errorOf(answer)).toEqual([503, 'provider_busy']);
      expect(answer.text).not.toContain('account 7');
      expect(await world.recordOf(who)).toMatchObject([{ status: 'failed', cost_nano_dollars: 0 }]);
    });
    it('ends with an error if the stream of the provider breaks', async () => {
      const who = world.caller();
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(ofAnthropic.slice(0, ofAnthropic.indexOf('event: content_block_stop')), () => setImmediate(() => res.destroy()));
      };
      const { text } = await world.chat(who.headers, { ...question, stream: true });
      const all = eventsIn(text);
      expect(all.at(-1)).toMatchObject({ error: { code: 'recorded_not_visible' } });
      expect(text).not.toContain('[DONE]');
      expect(await world.recordOf(who)).toMatchObject([{ status: 'broken', usage: { estimated: true } }]);
    });
    it('ends at the provider when the caller leaves', async () => {
      const who = world.caller();
      const left = Promise.withResolvers<unknown>();
      world.provider.respond = (res) => {
        res.once('close', left.resolve);
        beginEvents(res);
        res.write(ofAnthropic.slice(0, ofAnthropic.indexOf('event: content_block_stop')));
      };
      const request = world.send('/v1/chat/completions', who.headers as Record<string, string>, { ...question, stream: true });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      await once(answer, 'data');
      request.destroy();
      await left.promise;
    });
    it('is answered by the models of a route that the request can be translated for', async () => {
      const asked = { model: 'mixed', messages: question.messages };
      world.provider.respond = (res, { path }) => {
        if (path.endsWith('/chat/completions')) return json(res, 503, {});
        beginEvents(res);
        return res.end(ofAnthropic);
      };
      const answer = await world.chat(world.caller().headers, asked);
      expect([answer.status, answer.headers['x-parlance-model']]).toEqual([200, 'claude']);
      world.forgetTargets();
      world.provider.requests.length = 0;
      expect(errorOf(await world.chat(world.caller().headers, { ...asked, seed: 1 }))).toEqual([503, 'provider_unavailable']);
      expect(world.provider.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
    });
    it('is answered from the cache', async () => {
      const who = world.caller();
      const headers = { ...who.headers, 'x-parlance-cache': 'ttl=60' } as Record<string, string>;
      const [first, second] = [await world.chat(headers, question), await world.chat(headers, question)];
      expect([first.headers['x-parlance-cache'], second.headers['x-parlance-cache']]).toEqual(['miss', 'hit']);
      expect([second.text, world.provider.requests.length]).toEqual([first.text, 1]);
    });
    it('is checked by policies, which mask what the provider gets and not what the caller gets', async () => {
      const policies = new Guardrails([{ id: 'pii', apply_to: ['gateway'], stage: 'input', action: 'mask', detectors: ['email'] }]);
      jest.spyOn(world.service.part(TextGuardrails), 'of').mockImplementation((surface, stage) => policies.of(surface, stage));
      world.provider.respond = (res, { body }) => {
        const placeholder = /\[EMAIL[^\]]*\]/i.exec(body)?.[0] ?? 'nothing';
        beginEvents(res);
        res.end(ofAnthropic.replace('"look."', `"at ${placeholder}."`));
      };
      const messages = [{ role: 'user', content: 'Write to ann@example.org' }];
      for (const stream of [false, true]) {
        const { text } = await world.chat(world.caller().headers, { model: 'claude', messages, stream });
        expect(text).toContain('ann@example.org');
      }
      expect(world.provider.requests.map(({ body }) => body.includes('ann@example.org'))).toEqual([false, false]);
    });
  });
}
