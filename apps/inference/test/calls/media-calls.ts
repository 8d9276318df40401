import { once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const usage = { input_tokens: 10, output_tokens: 2_000, total_tokens: 2_010, input_tokens_details: { text_tokens: 10, image_tokens: 0 } };
const COST = 10 * 1_000 + 2_000 * 2_000;
const named = (event: { readonly type: string; readonly [field: string]: unknown }): string => `event: ${event.type}\n${events(event)}`;

export function mediaCalls(start: () => CallsWorld): void {
  let world: CallsWorld;
  beforeEach(() => {
    world = start();
    world.provider.requests.length = 0;
  });

  describe('a call that makes images', () => {
    const paint = (headers: Record<string, string>, more: object = {}) =>
      world.ask('/v1/images/generations', headers, { model: 'painter', prompt: 'A cat.', ...more });

    it('reaches the provider as it is, and is charged as reported', async () => {
      const who = world.caller();
      const image = 'A'.repeat(3 * 1024 * 1024);
      world.provider.respond = (res) => json(res, 200, { created: 1, data: [{ b64_json: image }], usage });
      const { status, text, headers } = await paint(who.headers, { size: '1024x1024', new_field: true });
      expect([status, JSON.parse(text).data[0].b64_json === image]).toEqual([200, true]);
      expect(headers['x-parlance-cost']).toBe(String(COST / 1e9));
      expect([world.provider.requests[0]?.path, JSON.parse(world.provider.requests[0]!.body)]).toEqual([
        '/v1/images/generations',
        { model: 'painter-upstream', prompt: 'A cat.', size: '1024x1024', new_field: true },
      ]);
      const [record] = await world.recordOf(who);
      expect(record).toMatchObject({
        endpoint: 'images/generations',
        usage: { output_tokens: 2_000, estimated: false },
        cost_nano_dollars: COST,
      });
    });
    it('is not suspicious because its answer has only the addresses of images', async () => {
      const who = world.caller();
      const much = { ...usage, output_tokens: 6_000 };
      world.provider.respond = (res) => json(res, 200, { created: 1, data: [{ url: 'https://images.example.org/1' }], usage: much });
      await paint(who.headers, { n: 6 });
      expect((await world.recordOf(who))[0]?.usage).toMatchObject({ output_tokens: 6_000 });
      expect((await world.recordOf(who))[0]?.usage).not.toHaveProperty('suspicious');
    });
    it("is charged by the model's limit for each image if there is no report", async () => {
      const who = world.caller();
      world.provider.respond = (res) => json(res, 200, { created: 1, data: [{ b64_json: 'A'.repeat(1024 * 1024) }] });
      await paint(who.headers, { n: 2 });
      expect(await world.recordOf(who)).toMatchObject([{ usage: { output_tokens: 2 * 1_000, estimated: true } }]);
    });
    it('may be streamed, several images too, and is recorded before the last event', async () => {
      const who = world.caller();
      const partial = named({ type: 'image_generation.partial_image', b64_json: 'A'.repeat(200_000) });
      const last = named({ type: 'image_generation.completed', b64_json: 'B'.repeat(200_000), usage });
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(partial + last + last);
      };
      const { text, trailers } = await paint(who.headers, { stream: true, n: 2 });
      expect([text === partial + last + last, trailers]).toEqual([true, { 'x-parlance-cost': String((2 * COST) / 1e9) }]);
      expect(await world.recordOf(who)).toMatchObject([{ usage: { input_tokens: 20, output_tokens: 4_000, estimated: false } }]);
    });
  });

  describe('a call that speaks a text', () => {
    const input = 'One two three. '.repeat(100);
    const speak = (headers: Record<string, string>, more: object = {}) =>
      world.ask('/v1/audio/speech', headers, { model: 'voice', input, voice: 'alloy', ...more });

    it('passes the audio on as it comes, and its end when the estimated charge is recorded', async () => {
      const who = world.caller();
      const go = Promise.withResolvers<void>();
      const [begin, end] = [Buffer.alloc(70_000, 1), Buffer.alloc(30_000, 255)];
      world.provider.respond = async (res) => {
        res.writeHead(200, { 'content-type': 'audio/mpeg' });
        res.write(begin);
        await go.promise;
        res.end(end);
      };
      const sent = world.send('/v1/audio/speech', who.headers, { model: 'voice', input, voice: 'alloy' });
      const [answer] = await once(sent, 'response');
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      await waitFor(() => parts.length > 0);
      expect(await world.recordOf(who)).toEqual([]);
      go.resolve();
      await once(answer, 'end');
      expect(Buffer.concat(parts).equals(Buffer.concat([begin, end]))).toBe(true);
      const [record] = await world.recordOf(who);
      // 1,500 characters are 100 seconds.
      expect(record).toMatchObject({ endpoint: 'audio/speech', status: 'completed', usage: { output_tokens: 2_000, estimated: true } });
      expect(record?.usage.input_tokens).toBeGreaterThan(300);
      expect([answer.headers['content-type'], answer.trailers]).toEqual([
        'audio/mpeg',
        { 'x-parlance-cost': String(record!.cost_nano_dollars / 1e9) },
      ]);
    });
    it('is charged as reported at the end of a stream of events', async () => {
      const who = world.caller();
      const done = named({ type: 'speech.audio.done', usage });
      const stream = named({ type: 'speech.audio.delta', audio: 'AAAA' }) + done;
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(stream);
      };
      const { text } = await speak(who.headers, { stream_format: 'sse' });
      expect(text).toBe(stream);
      expect(await world.recordOf(who)).toMatchObject([{ usage: { input_tokens: 10, output_tokens: 2_000, estimated: false } }]);
    });
    it('is broken if the audio breaks off', async () => {
      const who = world.caller();
      world.provider.respond = (res) => {
        res.writeHead(200, { 'content-type': 'audio/mpeg' });
        res.write(Buffer.alloc(10), () => res.destroy());
      };
      await expect(speak(who.headers)).rejects.toThrow();
      await waitFor(async () => (await world.recordOf(who)).length > 0);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'broken', usage: { output_tokens: 2_000, estimated: true } }]);
    });
    it('may be made with a session instead of a token, and its user is charged', async () => {
      const headers = world.service.as('bea');
      world.provider.respond = (res) => res.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3');
      expect(await speak(headers)).toMatchObject({ status: 200, text: 'ID3' });
      expect(await world.recordOf({ tokenId: 'session-bea' })).toMatchObject([
        { user_id: 'bea', endpoint: 'audio/speech', cost_centre: null, tags: {}, status: 'completed' },
      ]);
      const { calls } = JSON.parse((await world.ask('/user/me/calls', headers)).text);
      expect(calls).toMatchObject([{ token_id: 'session-bea', model: 'voice' }]);
      // Programs need a token, and a token needs the scope.
      expect(errorOf(await world.ask('/v1/images/generations', headers, { model: 'painter', prompt: 'A cat.' }))).toEqual([
        403,
        'models_token_needed',
      ]);
      expect(errorOf(await speak(world.service.asToken('other', 'bea')))).toEqual([403, 'models_token_needed']);
    });
    it.each([
      ['/v1/audio/speech', 'painter'],
      ['/v1/images/generations', 'gpt'],
      ['/v1/chat/completions', 'voice'],
    ])('and others are refused for a model of another kind (%s, %s)', async (path, model) => {
      expect(errorOf(await world.ask(path, world.caller().headers, { model, input }))).toEqual([400, 'unsupported_parameter']);
    });
  });
}
