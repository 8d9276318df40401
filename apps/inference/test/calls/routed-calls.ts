import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
/** Each model costs two dollars more for a million tokens than the one before. */
const COSTS = { one: 100 * 1_000 + 20 * 2_000, two: 100 * 3_000 + 20 * 4_000 };

export function routedCalls(start: () => CallsWorld): void {
  describe('a call of a route', () => {
    let world: CallsWorld;
    /** The models that the provider was sent, in order. */
    const called = () => world.provider.requests.map(({ body }) => (JSON.parse(body) as { model: string }).model);
    const call = (who: { readonly headers: Record<string, string> }, model: string, more: object = {}) =>
      world.chat(who.headers, { model, max_tokens: 50, messages: [], ...more });
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.forgetTargets();
      world.provider.respond = (res, { body }) => {
        if (!(JSON.parse(body) as { stream?: boolean }).stream) return json(res, 200, { choices: [], usage });
        beginEvents(res);
        return res.end(`${events({ choices: [{ delta: { content: 'Hi' } }] }, { choices: [], usage })}data: [DONE]\n\n`);
      };
    });

    it.each([false, true])('is answered and charged at the price of the model that its header names (stream: %s)', async (stream) => {
      const who = world.caller();
      const { status, headers, trailers } = await call(who, 'pair', { stream });
      expect([status, headers['x-parlance-model'], called()]).toEqual([200, 'one', ['one']]);
      expect(stream ? trailers['x-parlance-cost'] : headers['x-parlance-cost']).toBe(String(COSTS.one / 1e9));
      expect(await world.recordOf(who)).toMatchObject([
        { call_id: headers['x-parlance-call'], model: 'one', route: 'pair', tries: 1, status: 'completed', cost_nano_dollars: COSTS.one },
      ]);
    });
    it('may be in each format that one of its models has', async () => {
      const who = world.caller();
      expect((await call(who, 'mixed')).headers['x-parlance-model']).toBe('one');
      world.provider.respond = (res) => json(res, 200, { type: 'message', content: [], usage: { input_tokens: 10, output_tokens: 4 } });
      const answer = await world.ask('/v1/messages', who.headers, { model: 'mixed', max_tokens: 9, messages: [] });
      expect([answer.status, answer.headers['x-parlance-model'], called()]).toEqual([200, 'claude-2', ['one', 'claude-2']]);
      expect(world.provider.requests[1]?.headers).toMatchObject({ 'x-api-key': 'sk-second' });
      expect(errorOf(await world.ask('/v1/embeddings', who.headers, { model: 'mixed', input: 'a' }))).toEqual([
        400,
        'unsupported_parameter',
      ]);
    });
    it('needs a token that allows the name of the route, not its models', async () => {
      const { headers } = world.caller({ models: ['pair', 'gpt'] });
      expect((await call({ headers }, 'pair')).status).toBe(200);
      expect(errorOf(await call({ headers }, 'one'))).toEqual([404, 'model_not_found']);
      expect(errorOf(await call(world.caller({ models: ['one', 'two'] }), 'pair'))).toEqual([404, 'model_not_found']);
      const { data } = JSON.parse((await world.ask('/v1/models', headers)).text) as { data: { id: string; owned_by: string }[] };
      expect(data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
        ['pair', 'parlance'],
        ['gpt', 'ours'],
      ]);
      expect(JSON.parse((await world.ask('/v1/models/pair', headers)).text)).toMatchObject({ id: 'pair', object: 'model' });
    });
    it('is listed by the name of its route and of its model', async () => {
      const who = world.caller();
      await call(who, 'pair');
      for (const model of ['pair', 'one']) {
        const { text } = await world.ask(`/user/me/calls?token=${who.tokenId}&model=${model}`, world.service.as('ann'));
        expect((JSON.parse(text) as { calls: object[] }).calls).toMatchObject([{ model: 'one', route: 'pair', tries: 1 }]);
      }
    });
    it('goes to the fastest model, once all were tried', async () => {
      world.provider.respond = (res, { body }) => setTimeout(json, body.includes('"one"') ? 120 : 1, res, 200, { choices: [], usage });
      const who = world.caller();
      for (let index = 0; index < 6; index++) await call(who, 'quick');
      expect(called().slice(0, 2).toSorted()).toEqual(['one', 'two']);
      expect(called().slice(2)).toEqual(['two', 'two', 'two', 'two']);
      // The measurement of a slow model fades, so that one call tries it again.
      world.service.later(15 * 60_000);
      await call(who, 'quick');
      await call(who, 'quick');
      await call(who, 'quick');
      expect(called().slice(6).toSorted()).toEqual(['one', 'two', 'two']);
    });
    it('goes to the model with fewer calls in flight', async () => {
      const held = Promise.withResolvers<void>();
      world.provider.respond = async (res) => {
        await held.promise;
        json(res, 200, { choices: [], usage });
      };
      const calls: Promise<unknown>[] = [];
      for (let index = 1; index <= 6; index++) {
        calls.push(call(world.caller(), 'idle'));
        await waitFor(() => called().length === index, { what: 'the call' });
      }
      held.resolve();
      await Promise.all(calls);
      expect([called().filter((model) => model === 'one').length, called().length]).toEqual([3, 6]);
    });
    it('goes to its models by their weights', async () => {
      const who = world.caller();
      await Promise.all(Array.from({ length: 100 }, () => call(who, 'shares')));
      const share = called().filter((model) => model === 'one').length;
      // 75 are expected. Fewer or more are seen once in a million times.
      expect([share > 51, share < 95, called().length]).toEqual([true, true, 100]);
    });
  });
}
