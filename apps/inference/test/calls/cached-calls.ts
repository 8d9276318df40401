import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const FOR_A_MINUTE = { 'x-parlance-cache': 'ttl=60' };

export function cachedCalls(start: () => CallsWorld): void {
  describe('a call of a model that may be cached', () => {
    let world: CallsWorld;
    let calls = 0;
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, { id: `answer ${++calls}`, choices: [], usage });
    });

    const callerOf = (userId: string, terms: object = {}) => {
      const tokenId = newId();
      return { tokenId, headers: { ...world.service.asModelsToken(tokenId, userId, terms), ...FOR_A_MINUTE } };
    };
    const body = (text: string) => ({ model: 'gpt', messages: [{ role: 'user', content: text }] });
    const outcome = async (headers: Record<string, string>, request: object | string) => {
      const answer = await world.chat(headers, request);
      return [answer.headers['x-parlance-cache'], answer.headers['x-parlance-cost'], answer.text];
    };

    it('is answered from the cache the second time, for nothing, and is listed so', async () => {
      const who = callerOf(newId());
      const first = await outcome(who.headers, body('a'));
      expect(first).toEqual(['miss', '0.000014', expect.stringContaining('answer')]);
      expect(await outcome(who.headers, body('a'))).toEqual(['hit', '0', first[2]]);
      expect(world.provider.requests).toHaveLength(1);
      expect(await world.recordOf(who)).toMatchObject([
        { status: 'completed', cost_nano_dollars: 14_000 },
        { status: 'completed', cost_nano_dollars: 0, usage: { input_tokens: 0, output_tokens: 0 } },
      ]);
      const listed = JSON.parse((await world.ask(`/user/me/calls?token=${who.tokenId}`, who.headers)).text);
      expect(listed.calls).toMatchObject([
        { cached: true, http_status: null },
        { cached: false, http_status: 200 },
      ]);
    });

    it('is the same request in another order of its fields, and with other white space', async () => {
      const { headers } = callerOf(newId());
      await outcome(headers, '{"model":"gpt","seed":12345678901234567890,"messages":[{"role":"user","content":"x \\" y"}]}');
      const same = '{ "messages":[ {"role":"user", "content":"x \\" y"} ],\n"seed":12345678901234567890, "model":"gpt"}';
      expect((await outcome(headers, same))[0]).toBe('hit');
      for (const other of [
        same.replace('67890', '67891'),
        same.replace('x ', 'x  '),
        same.replace('"role":"user", "content":"x \\" y"', '"content":"x \\" y","role":"user"'),
      ])
        expect((await outcome(headers, other))[0]).toBe('miss');
      expect((await outcome({ ...headers, 'openai-beta': 'x' }, same))[0]).toBe('miss');
    });

    it('is a stream again', async () => {
      const { headers } = callerOf(newId());
      const chunk = { id: 'c', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] };
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(`${events(chunk, { id: 'c', choices: [], usage })}data: [DONE]\n\n`);
      };
      const request = { ...body('streamed'), stream: true };
      const first = await world.chat(headers, request);
      const second = await world.chat(headers, request);
      expect([first.headers['x-parlance-cache'], second.headers['x-parlance-cache']]).toEqual(['miss', 'hit']);
      expect([second.text, second.headers['content-type']]).toEqual([first.text, 'text/event-stream']);
      expect(world.provider.requests).toHaveLength(1);
    });

    it('is never answered with the answer to another user, but to another token of the same user', async () => {
      const [ann, bob] = [newId(), newId()];
      await outcome(callerOf(ann).headers, body('b'));
      expect((await outcome(callerOf(bob).headers, body('b')))[0]).toBe('miss');
      expect((await outcome(callerOf(ann).headers, body('b')))[0]).toBe('hit');
      expect(errorOf(await world.chat(callerOf(ann, { models: ['claude'] }).headers, body('b')))).toEqual([404, 'model_not_found']);
    });

    it('is not cached without the wish of the caller or of the terms of the token', async () => {
      const user = newId();
      const { 'x-parlance-cache': _, ...headers } = callerOf(user, { cache_ttl_seconds: 60 }).headers;
      const off = { ...headers, 'x-parlance-cache': 'ttl=0' };
      expect((await outcome(off, body('c')))[0]).toBeUndefined();
      expect((await outcome(headers, body('c')))[0]).toBe('miss');
      expect((await outcome(headers, body('c')))[0]).toBe('hit');
      const plain = world.service.asModelsToken(newId(), user, {});
      expect((await outcome(plain, body('c')))[0]).toBeUndefined();
      for (const wish of ['ttl=3601', 'ttl=-1', 'yes', 'ttl=1.5'])
        expect(errorOf(await world.chat({ ...headers, 'x-parlance-cache': wish }, body('c')))).toEqual([400, 'invalid_cache']);
    });

    it('is not cached if it is refused, broken off, or without a report', async () => {
      const { headers } = callerOf(newId());
      const twice = async (text: string) => [(await outcome(headers, body(text)))[0], (await outcome(headers, body(text)))[0]];
      world.provider.respond = (res) => json(res, 400, { error: {} });
      expect(await twice('d')).toEqual(['miss', 'miss']);
      world.provider.respond = (res) => json(res, 200, { error: {} });
      expect(await twice('e')).toEqual(['miss', 'miss']);
    });

    it('is made again when the time of the answer is over', async () => {
      const { headers } = callerOf(newId());
      await outcome(headers, body('f'));
      world.service.later(61_000);
      expect((await outcome(headers, body('f')))[0]).toBe('miss');
    });

    it('is forgotten with its user', async () => {
      const user = newId();
      const { headers } = callerOf(user);
      await outcome(headers, body('g'));
      await world.ask('/internal/erasures', world.service.asService('identity'), { user_id: user });
      expect((await outcome(headers, body('g')))[0]).toBe('miss');
    });
  });
}
