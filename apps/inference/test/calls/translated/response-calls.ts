import { beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { type CallsWorld, errorOf } from '../calls-world.ts';
import { beginEvents } from '../mock-provider.ts';
import { eventsIn, ofAnthropic, weather } from './streams.ts';

export function translatedResponses(start: () => CallsWorld): void {
  describe("a call in the format of OpenAI's Responses of a model whose provider has another API", () => {
    let world: CallsWorld;
    const question = { model: 'claude', input: 'Is it warm in Bern and Rome?' };
    const tools = [{ type: 'function' as const, name: 'weather', parameters: weather, strict: false }];
    beforeEach(() => {
      world = start();
      world.forgetTargets();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(ofAnthropic);
      };
    });

    it('is answered in events in the order of OpenAI, and charged as reported', async () => {
      const who = world.caller();
      const { text } = await world.ask('/v1/responses', who.headers, { ...question, tools, stream: true });
      const all = eventsIn(text);
      const call = [
        'output_item.added',
        'function_call_arguments.delta',
        'function_call_arguments.delta',
        'function_call_arguments.done',
        'output_item.done',
      ];
      expect(all.map(({ type }) => type.replace('response.', ''))).toEqual([
        'created',
        'in_progress',
        'output_item.added',
        'content_part.added',
        'output_text.delta',
        'output_text.done',
        'content_part.done',
        'output_item.done',
        ...call,
        ...call,
        'completed',
      ]);
      expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, index) => index));
      expect(await world.recordOf(who)).toMatchObject([
        { endpoint: 'responses', status: 'completed', usage: { input_tokens: 45, cache_read_tokens: 30, cache_write_tokens: 5 } },
      ]);
    });
    it('makes a round of a tool with the SDK of OpenAI', async () => {
      const { port } = world.service.server.address() as { port: number };
      const { authorization: _, ...defaultHeaders } = world.caller().headers as Record<string, string>;
      const client = new OpenAI({ apiKey: 'unused', baseURL: `http://127.0.0.1:${port}/v1`, defaultHeaders, maxRetries: 0 });
      const first = await client.responses.stream({ ...question, tools }).finalResponse();
      expect([first.status, first.output_text]).toEqual(['completed', 'Let me look.']);
      const calls = first.output.filter(({ type }) => type === 'function_call') as OpenAI.Responses.ResponseFunctionToolCall[];
      const results = calls.map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: 'warm' }));
      const history = [{ role: 'user' as const, content: question.input }, ...first.output, ...results];
      world.provider.requests.length = 0;
      const second = await client.responses.create({ model: 'claude', input: history as OpenAI.Responses.ResponseInput, tools });
      expect(second.output.length).toBe(3);
      const { messages } = JSON.parse(world.provider.requests[0]!.body) as { messages: object[] };
      expect(messages.slice(1)).toMatchObject([
        {
          content: [
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'toolu_0', name: 'weather', input: { city: 'Bern' } },
            { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
          ],
        },
        {
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_0' },
            { type: 'tool_result', tool_use_id: 'toolu_1' },
          ],
        },
      ]);
    });
    it('is refused before it is sent for what it cannot translate', async () => {
      const who = world.caller();
      for (const field of [{ background: true }, { tools: [{ type: 'web_search' }] }])
        expect(errorOf(await world.ask('/v1/responses', who.headers, { ...question, ...field }))).toEqual([400, 'unsupported_parameter']);
      expect([world.provider.requests, await world.recordOf(who)]).toEqual([[], []]);
    });
  });
}
