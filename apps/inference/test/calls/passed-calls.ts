import { once } from 'node:events';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { Catalogue } from '../../src/adapters/pricing/catalogue.ts';
import { BYTES_OF_A_USER, CallMemory } from '../../src/workflows/calls/call-memory.ts';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details: { cached_tokens: 40 } };
/** 60 tokens at a dollar, 40 cached at 10 cents and 20 of output at two dollars, for a million each. */
const COST = 60 * 1_000 + 40 * 100 + 20 * 2_000;
const chunk = (content: string) => ({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }], usage: null });

export function passedCalls(start: () => CallsWorld): void {
  describe('a call of a model', () => {
    let world: CallsWorld;
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, { id: 'x', choices: [{ message: { content: 'Hi' } }], usage });
    });

    const caller = (terms?: object) => world.caller(terms);
    const chat = (...call: Parameters<CallsWorld['chat']>) => world.chat(...call);
    const recordOf = (who: { readonly tokenId: string }) => world.recordOf(who);

    it('reaches the provider as it is, but for the model and the credentials', async () => {
      const body = `{ "messages": [{"role":"user","content":"\\u00e9 {[\\""}], "model" : "gpt", "some_new_field": {"model": "gpt"}, "seed": 1.0 }`;
      const { headers } = caller();
      await chat({ ...headers, 'openai-beta': 'x=1', 'openai-organization': 'mine' }, body);
      const [request] = world.provider.requests;
      expect(request?.body).toBe(body.replace('"model" : "gpt"', '"model" : "gpt-upstream"'));
      expect(request?.path).toBe('/v1/chat/completions');
      expect(request?.headers).toMatchObject({ authorization: 'Bearer sk-upstream', 'openai-beta': 'x=1' });
      expect(Object.keys(request?.headers ?? {})).not.toContain('openai-organization');
      expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('x-parlance'))).toEqual([]);
    });
    it('is answered with the bytes of the provider and charged as it reports, cached tokens at their price', async () => {
      const who = caller({ cost_centre: 'research', tags: { app: 'x' } });
      const answer = await chat(who.headers);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { id: 'x', choices: [{ message: { content: 'Hi' } }], usage }]);
      expect(answer.headers).toMatchObject({ 'x-parlance-model': 'gpt', 'x-parlance-cost': String(COST / 1e9) });
      expect(answer.headers['x-request-id']).toBeTruthy();
      expect(await recordOf(who)).toMatchObject([
        {
          call_id: answer.headers['x-parlance-call'],
          user_id: 'ann',
          endpoint: 'chat/completions',
          model: 'gpt',
          status: 'completed',
          cost_centre: 'research',
          tags: { app: 'x' },
          usage: { input_tokens: 100, output_tokens: 20, cache_read_tokens: 40, estimated: false },
          cost_nano_dollars: COST,
        },
      ]);
    });
    it('is recorded before the answer ends, also when it is streamed', async () => {
      const who = caller();
      const sent = Promise.withResolvers<void>();
      world.provider.respond = async (res) => {
        beginEvents(res);
        res.write(events(chunk('He')));
        await sent.promise;
        res.end(`${events(chunk('llo'), { id: 'c', choices: [], usage })}data: [DONE]\n\n`);
      };
      const [answer] = await once(
        world.send('/v1/chat/completions', who.headers, { model: 'gpt', stream: true, messages: [] }),
        'response',
      );
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      await waitFor(() => text.includes('He'));
      expect(await recordOf(who)).toEqual([]);
      sent.resolve();
      await once(answer, 'end');
      expect(await recordOf(who)).toMatchObject([{ status: 'completed', cost_nano_dollars: COST }]);
      expect(answer.trailers).toEqual({ 'x-parlance-cost': String(COST / 1e9) });
      // The caller did not ask for the usage.
      expect(text).toBe(`${events(chunk('He'), chunk('llo'))}data: [DONE]\n\n`);
      expect(JSON.parse(world.provider.requests[0]!.body)).toMatchObject({ stream_options: { include_usage: true } });
    });
    it('has the usage in its stream if the caller asks for it', async () => {
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(`${events(chunk('Hi'), { choices: [], usage })}data: [DONE]\n\n`);
      };
      const options = { model: 'gpt', stream: true, stream_options: { include_usage: true, other: 1 }, messages: [] };
      const { text } = await chat(caller().headers, options);
      expect(text).toContain('"prompt_tokens":100');
      expect(JSON.parse(world.provider.requests[0]!.body)).toEqual({ ...options, model: 'gpt-upstream' });
    });
    it('is charged at the price when it began if the newest one cannot be read when it ends', async () => {
      const who = caller();
      jest.spyOn(world.service.part(Catalogue), 'cost').mockRejectedValueOnce(new Error('away'));
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(`${events(chunk('Hi'), { choices: [], usage })}data: [DONE]\n\n`);
      };
      const { trailers } = await chat(who.headers, { model: 'gpt', stream: true, messages: [] });
      expect(trailers).toEqual({ 'x-parlance-cost': String(COST / 1e9) });
      expect(await recordOf(who)).toMatchObject([{ status: 'completed', cost_nano_dollars: COST }]);
    });
    it('is counted when the provider reports nothing', async () => {
      const who = caller();
      const choices = [{ message: { role: 'assistant', content: 'one two' } }];
      world.provider.respond = (res) => json(res, 200, { id: 'an-id-with-many-tokens', choices });
      await chat(who.headers, { model: 'gpt', messages: [{ role: 'user', content: 'Count.' }] });
      const [record] = await recordOf(who);
      expect(record).toMatchObject({ status: 'completed', usage: { estimated: true, output_tokens: 2 } });
      expect(record?.usage.input_tokens).toBeGreaterThan(5);
    });
    it('is counted as far as it went when its stream breaks off', async () => {
      const who = caller();
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(events(chunk('one'), chunk(' two')), () => res.destroy());
      };
      await expect(chat(who.headers, { model: 'gpt', stream: true, messages: [{ role: 'user', content: 'Count.' }] })).rejects.toThrow();
      await waitFor(async () => (await recordOf(who)).length > 0);
      const [record] = await recordOf(who);
      expect(record).toMatchObject({ status: 'broken', usage: { estimated: true, output_tokens: 2 } });
      // By the tokenizer, without the margin of a reservation.
      expect(record?.usage.input_tokens).toBeLessThan(20);
    });
    it('is charged as far as it went when the caller leaves, and ends at the provider', async () => {
      const who = caller();
      const closed = Promise.withResolvers<void>();
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(events(chunk('one')));
        res.once('close', closed.resolve);
      };
      const sent = world.send('/v1/chat/completions', who.headers, { model: 'gpt', stream: true, messages: [] });
      const [answer] = await once(sent, 'response');
      await once(answer, 'data');
      answer.destroy();
      sent.on('error', () => undefined);
      await closed.promise;
      await waitFor(async () => (await recordOf(who)).length > 0);
      expect(await recordOf(who)).toMatchObject([{ status: 'cancelled', usage: { estimated: true, output_tokens: 1 } }]);
    });
    it('has the refusal of the provider in its own words, and is free', async () => {
      const who = caller();
      const error = { error: { message: 'temperature is too high', type: 'invalid_request_error', param: 'temperature', code: null } };
      world.provider.respond = (res) => json(res, 400, error);
      const answer = await chat(who.headers);
      expect([answer.status, JSON.parse(answer.text), answer.headers['x-parlance-cost']]).toEqual([400, error, '0']);
      expect(await recordOf(who)).toMatchObject([{ status: 'refused', cost_nano_dollars: 0 }]);
    });
    it.each([
      [401, 'provider_misconfigured'],
      [429, 'provider_busy'],
      [500, 'provider_unavailable'],
    ])('hides an answer with status %i of the provider, which may name its account, and is free', async (status, code) => {
      const who = caller();
      world.provider.respond = (res) => json(res, status, { error: { message: 'sk-upstream of org-1' } }, { 'retry-after': '7' });
      const answer = await chat(who.headers);
      world.forgetTargets();
      expect(answer.headers).toMatchObject({ 'x-parlance-code': code, 'x-parlance-model': 'gpt', 'x-parlance-cost': '0' });
      expect([errorOf(answer), answer.text.includes('org-1')]).toEqual([[503, code], false]);
      expect(await recordOf(who)).toMatchObject([{ status: 'failed', cost_nano_dollars: 0 }]);
    });
    it('is charged with the most that it can have cost when the provider is silent, and is not to be repeated', async () => {
      const who = caller();
      world.provider.respond = () => undefined;
      const answer = await chat(who.headers, { model: 'gpt', max_tokens: 7, messages: [] });
      expect([errorOf(answer), answer.headers['x-should-retry']]).toEqual([[503, 'recorded_not_visible'], 'false']);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { look_up: '/user/me/calls' } });
      const [record] = await recordOf(who);
      expect([record?.status, record?.usage.output_tokens, record?.usage.estimated]).toEqual(['unsettled', 7, true]);
      // The tokenizer's count, not the bytes of the request.
      expect(record?.usage.input_tokens).toBeGreaterThan(200);
      expect(answer.headers['x-parlance-cost']).toBe(String((record?.cost_nano_dollars ?? 0) / 1e9));
    });
    it('is charged so when the connection breaks before an answer', async () => {
      const who = caller();
      world.provider.respond = (res) => void res.destroy();
      expect(errorOf(await chat(who.headers))).toEqual([503, 'recorded_not_visible']);
      expect(await recordOf(who)).toMatchObject([{ status: 'unsettled' }]);
    });
    it('ends when its stream is silent for too long', async () => {
      const who = caller();
      world.provider.respond = (res) => {
        beginEvents(res);
        res.write(events(chunk('one')));
      };
      await expect(chat(who.headers, { model: 'gpt', stream: true, messages: [] })).rejects.toThrow();
      expect(await recordOf(who)).toMatchObject([{ status: 'broken', usage: { output_tokens: 1 } }]);
    });
    it('is charged as far as it was read when an answer breaks off, and is not to be repeated', async () => {
      const who = caller();
      world.provider.respond = (res) => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        res.write('{"choices":[{"message":{"content":"on', () => res.destroy());
      };
      const answer = await chat(who.headers);
      expect([errorOf(answer), answer.headers['x-should-retry']]).toEqual([[503, 'recorded_not_visible'], 'false']);
      const [record] = await recordOf(who);
      expect([record?.status, record?.usage.output_tokens]).toEqual(['broken', expect.any(Number)]);
      expect(record?.usage.output_tokens).toBeGreaterThan(5);
    });
    it('is refused before it is made while the calls of its user use too much memory', async () => {
      const held = world.service.part(CallMemory).take('ann', BYTES_OF_A_USER);
      expect(errorOf(await chat(caller().headers))).toEqual([503, 'busy']);
      held.release();
      expect(world.provider.requests).toEqual([]);
      for (let call = 0; call < 2; call++) expect((await chat(caller().headers)).status).toBe(200);
    });
    it('is ended when the offline model cannot read it', async () => {
      const who = caller({ max_parallel_requests: 1 });
      const broken = '{"model":"local-extractive","messages":[}]}';
      expect(errorOf(await chat(who.headers, broken))).toEqual([400, 'malformed_body']);
      expect(errorOf(await chat(who.headers, broken))).toEqual([400, 'malformed_body']);
    });
    it('marks a report that the call can hardly have caused', async () => {
      const who = caller();
      world.provider.respond = (res) => json(res, 200, { usage: { prompt_tokens: 1_000_000, completion_tokens: 1 } });
      await chat(who.headers);
      expect(await recordOf(who)).toMatchObject([{ usage: { input_tokens: 1_000_000, suspicious: true, estimated: false } }]);
    });
  });
}
