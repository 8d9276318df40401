import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { MOST_FAILURES } from '../../src/workflows/calls/routes/target-health.ts';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const COST_OF_TWO = 100 * 3_000 + 20 * 4_000;
const COST_OF_EIGHT = 100 * 15_000 + 20 * 16_000;
type Respond = (res: ServerResponse) => unknown;

export function failingTargets(start: () => CallsWorld): void {
  describe('a call of a route whose first model fails', () => {
    let world: CallsWorld;
    const called = () => world.provider.requests.map(({ body }) => (JSON.parse(body) as { model: string }).model);
    const call = (who: { readonly headers: Record<string, string> }, model: string, more: object = {}) =>
      world.chat(who.headers, { model, max_tokens: 50, messages: [], ...more });
    /** Each model in its way. The others answer. */
    const respond = (ways: Readonly<Record<string, Respond>>) => {
      world.provider.respond = (res, { body }) => {
        const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean };
        if (ways[model]) return ways[model](res);
        if (!stream) return json(res, 200, { choices: [], usage });
        beginEvents(res);
        return res.end(`${events({ choices: [{ delta: { content: 'Hi' } }] }, { choices: [], usage })}data: [DONE]\n\n`);
      };
    };
    const status =
      (code: number, headers: Record<string, string> = {}): Respond =>
      (res) =>
        json(res, code, {}, headers);
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.forgetTargets();
    });

    it.each([500, 529, 429, 401, 404])('with %i is answered by another one, and charged once', async (code) => {
      const who = world.caller();
      respond({ one: status(code) });
      const { headers } = await call(who, 'pair');
      expect([called(), headers['x-parlance-model'], headers['x-parlance-cost']]).toEqual([
        ['one', 'two'],
        'two',
        String(COST_OF_TWO / 1e9),
      ]);
      expect(await world.recordOf(who)).toMatchObject([{ model: 'two', tries: 2, status: 'completed', cost_nano_dollars: COST_OF_TWO }]);
    });
    it.each<[string, boolean, Respond]>([
      ['is silent', false, () => undefined],
      ['is silent', true, () => undefined],
      ['sends the head of an answer and is silent', true, (res) => (beginEvents(res), res.flushHeaders())],
      ['breaks the connection', false, (res) => res.destroy()],
      ['sends the head of an answer and breaks the connection', true, (res) => (beginEvents(res), res.flushHeaders(), res.destroy())],
    ])('because it %s (stream: %s) is answered by another one, and both may be charged', async (_, stream, way) => {
      const who = world.caller();
      respond({ seven: way });
      const { status: answered, headers, trailers } = await call(who, 'third-pair', { stream });
      expect([answered, called(), headers['x-parlance-model']]).toEqual([200, ['seven', 'eight'], 'eight']);
      const records = await world.recordOf(who);
      expect(records).toMatchObject([
        { model: 'seven', route: 'third-pair', tries: 1, status: 'unsettled', usage: { output_tokens: 50, estimated: true } },
        {
          model: 'eight',
          route: 'third-pair',
          tries: 2,
          status: 'completed',
          call_id: headers['x-parlance-call'],
          cost_nano_dollars: COST_OF_EIGHT,
        },
      ]);
      const sum = records.reduce((total, { cost_nano_dollars }) => total + cost_nano_dollars, 0);
      expect(Math.round(Number(trailers['x-parlance-cost'] ?? headers['x-parlance-cost']) * 1e9)).toBe(sum);
      expect(new Set(records.map(({ call_id }) => call_id)).size).toBe(2);
    });
    it('is answered by its fallbacks in their order, at last by the offline model', async () => {
      const who = world.caller();
      respond({ three: status(500), four: status(503) });
      expect((await call(who, 'chain')).headers['x-parlance-model']).toBe('one');
      expect(called()).toEqual(['three', 'four', 'one']);
      const saved = await call(who, 'saved', { stream: true });
      expect([saved.status, saved.headers['x-parlance-model'], saved.text.includes('offline model')]).toEqual([
        200,
        'local-extractive',
        true,
      ]);
    });
    it('in the format of Anthropic is answered by another one after the time limit of the route', async () => {
      const who = world.caller();
      world.provider.respond = (res, { body }) =>
        body.includes('claude-upstream') ? undefined : json(res, 200, { type: 'message', usage: { input_tokens: 1, output_tokens: 2 } });
      const answer = await world.ask('/v1/messages', who.headers, { model: 'hurried', max_tokens: 9, messages: [] });
      expect([answer.status, answer.headers['x-parlance-model']]).toEqual([200, 'claude-2']);
      expect(await world.recordOf(who)).toMatchObject([
        { model: 'claude', status: 'unsettled' },
        { model: 'claude-2', status: 'completed' },
      ]);
    });
    it('is repeated as often as the route says, then is free', async () => {
      const who = world.caller();
      respond({ three: status(500) });
      expect(errorOf(await call(who, 'alone'))).toEqual([503, 'provider_unavailable']);
      expect(called()).toEqual(['three', 'three', 'three']);
      expect(await world.recordOf(who)).toMatchObject([{ model: 'three', tries: 3, status: 'failed', cost_nano_dollars: 0 }]);
    });
    it('is not repeated by a model that may have billed it, and names the charged call', async () => {
      const who = world.caller();
      respond({ three: () => undefined });
      const answer = await call(who, 'alone');
      expect([errorOf(answer), answer.headers['x-should-retry'], called()]).toEqual([[503, 'recorded_not_visible'], 'false', ['three']]);
      const silent = world.caller();
      respond({ one: () => undefined, two: status(500) });
      const both = await call(silent, 'pair');
      const records = await world.recordOf(silent);
      expect(errorOf(both)).toEqual([503, 'recorded_not_visible']);
      expect(records).toMatchObject([{ status: 'unsettled' }, { status: 'failed', cost_nano_dollars: 0 }]);
      expect(both.text).toContain(records[0]!.call_id);
      expect(Math.round(Number(both.headers['x-parlance-cost']) * 1e9)).toBe(records[0]!.cost_nano_dollars);
    });
    it('is not repeated after the first byte, nor if the model refuses the request', async () => {
      const who = world.caller();
      respond({ one: (res) => (beginEvents(res), res.write(events({ choices: [] }), () => res.destroy())) });
      await expect(call(who, 'pair', { stream: true })).rejects.toThrow();
      respond({ one: status(400) });
      const refused = await call(who, 'pair');
      expect([refused.status, refused.headers['x-parlance-model'], called()]).toEqual([400, 'one', ['one', 'one']]);
    });
    it('leaves it alone for a while after some failures, then tries it with one call', async () => {
      const who = world.caller();
      respond({ five: status(500) });
      for (let index = 0; index < MOST_FAILURES + 2; index++) expect((await call(who, 'second-pair')).status).toBe(200);
      expect(called().filter((model) => model === 'five')).toHaveLength(MOST_FAILURES);
      world.service.later(5_000);
      world.provider.requests.length = 0;
      const held = Promise.withResolvers<void>();
      respond({ five: async (res) => (await held.promise, json(res, 200, { choices: [], usage })) });
      const calls = [1, 2, 3].map(() => call(who, 'second-pair'));
      await Promise.any(calls);
      held.resolve();
      await Promise.all(calls);
      expect(called().toSorted()).toEqual(['five', 'six', 'six']);
      expect((await call(who, 'second-pair')).headers['x-parlance-model']).toBe('five');
    });
    it.each([429, 503])('does not ask it before the time in Retry-After of its answer %i', async (code) => {
      const who = world.caller();
      respond({ five: status(code, { 'retry-after': '30' }) });
      for (let index = 0; index < 3; index++) await call(who, 'second-pair');
      world.service.later(29_000);
      await call(who, 'second-pair');
      expect(called().filter((model) => model === 'five')).toHaveLength(1);
      respond({});
      world.service.later(1_000);
      expect((await call(who, 'second-pair')).headers['x-parlance-model']).toBe('five');
    });
    it('is refused at once while no model is usable, and says when to try again', async () => {
      const who = world.caller();
      respond({ three: status(429, { 'retry-after': '7' }) });
      expect(errorOf(await call(who, 'alone'))).toEqual([503, 'provider_busy']);
      const answer = await call(who, 'alone');
      expect([errorOf(answer), answer.headers['retry-after'], called()]).toEqual([[503, 'provider_paused'], '7', ['three']]);
    });
    it('without a route is not sent before the time that the provider has named', async () => {
      const who = world.caller();
      respond({ eight: status(429, { 'retry-after': '7' }) });
      expect(errorOf(await call(who, 'eight'))).toEqual([503, 'provider_busy']);
      const answer = await call(who, 'eight');
      expect([errorOf(answer), answer.headers['retry-after'], called()]).toEqual([[503, 'provider_paused'], '7', ['eight']]);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'failed' }, { status: 'failed', cost_nano_dollars: 0 }]);
      world.service.later(7_000);
      respond({});
      expect((await call(who, 'eight')).status).toBe(200);
    });
    it('is not sent to another one when its caller has left', async () => {
      const who = world.caller();
      respond({ five: () => undefined });
      const sent = world.send('/v1/chat/completions', who.headers, { model: 'second-pair', messages: [] });
      sent.on('error', () => undefined);
      await waitFor(() => called().length === 1, { what: 'the call' });
      sent.destroy();
      await waitFor(async () => (await world.recordOf(who)).length > 0, { what: 'its record' });
      expect([await world.recordOf(who), called()]).toMatchObject([[{ model: 'five', status: 'unsettled' }], ['five']]);
    });
  });

  describe('a call of a route whose first model has used up a limit', () => {
    it.each([
      ['OpenAI', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m30s' }],
      ['other servers', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '90' }],
    ])('goes to another one until the limit starts again, as the headers of %s say', async (_, headers) => {
      const world = start();
      world.forgetTargets();
      world.provider.respond = (res) => json(res, 200, { choices: [], usage }, headers);
      const used = async () => (await world.chat(world.caller().headers, { model: 'pair', messages: [] })).headers['x-parlance-model'];
      expect([await used(), await used()]).toEqual(['one', 'two']);
      // Both are used up: the provider may still accept a call.
      expect(await used()).toBe('one');
      world.provider.respond = (res) => json(res, 200, { choices: [], usage });
      world.service.later(91_000);
      expect([await used(), await used()]).toEqual(['one', 'one']);
    });
  });
}
