import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const usage = { input_tokens: 100, input_tokens_details: { cached_tokens: 40 }, output_tokens: 20, total_tokens: 120 };
/** 60 tokens at a dollar, 40 cached at 10 cents and 20 of output at two dollars, for a million each. */
const COST = 60 * 1_000 + 40 * 100 + 20 * 2_000;
const output = [{ type: 'message', content: [{ type: 'output_text', text: 'one two' }] }];
const named = (event: { readonly type: string; readonly [field: string]: unknown }): string => `event: ${event.type}\n${events(event)}`;
const delta = named({ type: 'response.output_text.delta', delta: 'one two' });

export function responseCalls(start: () => CallsWorld): void {
  describe("a call in the format of OpenAI's Responses", () => {
    let world: CallsWorld;
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, { object: 'response', output, usage });
    });

    const respond = (headers: Record<string, string>, body: object | string) => world.ask('/v1/responses', headers, body);

    it('reaches the provider as it is, but for the model and that nothing is stored, and is charged as reported', async () => {
      const who = world.caller();
      const body = '{ "input": "Hi", "model":"gpt", "some_new_field": [1.0] }';
      const answer = await respond(who.headers, body);
      expect([answer.status, JSON.parse(answer.text).output, answer.headers['x-parlance-cost']]).toEqual([200, output, String(COST / 1e9)]);
      expect(world.provider.requests[0]).toMatchObject({
        path: '/v1/responses',
        body: '{"store":false, "input": "Hi", "model":"gpt-upstream", "some_new_field": [1.0] }',
      });
      expect(await world.recordOf(who)).toMatchObject([
        {
          endpoint: 'responses',
          status: 'completed',
          usage: { input_tokens: 100, cache_read_tokens: 40, output_tokens: 20, estimated: false },
          cost_nano_dollars: COST,
        },
      ]);
    });
    it.each([
      ['{"model":"gpt","store":null,"input":""}', '{"model":"gpt-upstream","store":false,"input":""}'],
      ['{"model":"gpt","store":false,"background":false}', '{"model":"gpt-upstream","store":false,"background":false}'],
    ])('is not stored by its provider (%s)', async (body, sent) => {
      await respond(world.caller().headers, body);
      expect(world.provider.requests[0]?.body).toBe(sent);
    });
    it.each([{ background: true }, { conversation: { id: 'conv_1' } }, { background: true, store: true }])(
      'is refused with the name of a field that is not supported (%j)',
      async (field) => {
        const who = world.caller();
        const answer = await respond(who.headers, { model: 'gpt', input: 'Hi', ...field });
        const [name] = Object.keys(field);
        expect([errorOf(answer), JSON.parse(answer.text).error.param]).toEqual([[400, 'unsupported_parameter'], name]);
        expect([world.provider.requests, await world.recordOf(who)]).toEqual([[], []]);
      },
    );
    it('is streamed, and recorded before its last event', async () => {
      const who = world.caller();
      const last = named({ type: 'response.completed', response: { object: 'response', output, usage } });
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(delta + last.slice(0, 40), () => setImmediate(() => res.end(last.slice(40))));
      };
      const { text, trailers } = await respond(who.headers, { model: 'gpt', stream: true, input: 'Hi' });
      expect([text, trailers]).toEqual([delta + last, { 'x-parlance-cost': String(COST / 1e9) }]);
      expect(JSON.parse(world.provider.requests[0]!.body)).not.toHaveProperty('stream_options');
      expect(await world.recordOf(who)).toMatchObject([{ status: 'completed', cost_nano_dollars: COST, usage: { estimated: false } }]);
    });
    it('is counted as far as it went when its stream breaks off', async () => {
      const who = world.caller();
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(delta, () => res.destroy());
      };
      await expect(respond(who.headers, { model: 'gpt', stream: true, input: 'Count.' })).rejects.toThrow();
      await waitFor(async () => (await world.recordOf(who)).length > 0);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'broken', usage: { estimated: true, output_tokens: 2 } }]);
    });
    it('is counted by its output, not by the request that the answer repeats, if there is no report', async () => {
      const who = world.caller();
      world.provider.respond = (res) => json(res, 200, { object: 'response', instructions: 'one two three four', output, usage: null });
      await respond(who.headers, { model: 'gpt', input: 'Count.', instructions: 'one two three four' });
      expect(await world.recordOf(who)).toMatchObject([{ status: 'completed', usage: { estimated: true, output_tokens: 2 } }]);
    });
    it('reserves the output that it asks for', async () => {
      const who = world.caller();
      world.provider.respond = (res) => void res.destroy();
      expect(errorOf(await respond(who.headers, { model: 'gpt', input: 'Hi', max_output_tokens: 7 }))).toEqual([
        503,
        'recorded_not_visible',
      ]);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'unsettled', usage: { output_tokens: 7 } }]);
    });
    it.each([
      ['vectors', 400, 'unsupported_parameter'],
      ['nothing', 404, 'model_not_found'],
    ])('is refused in the form of OpenAI for the model %s', async (model, status, code) => {
      expect(errorOf(await respond(world.caller().headers, { model, input: 'Hi' }))).toEqual([status, code]);
    });
    it.each([
      [false, 'Hello?'],
      [true, [{ role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] }]],
    ])('is answered by the offline model (stream: %s)', async (stream, input) => {
      const who = world.caller();
      const { status, text } = await respond(who.headers, { model: 'local-extractive', stream, input });
      expect([status, text]).toEqual([200, expect.stringContaining('offline model')]);
      expect(text.includes('event: response.completed\n')).toBe(stream);
      expect(await world.recordOf(who)).toMatchObject([{ endpoint: 'responses', status: 'completed', cost_nano_dollars: 0 }]);
    });
  });
}
