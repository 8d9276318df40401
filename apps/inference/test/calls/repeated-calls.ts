import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { type CallerSeat, FREE_MILLIS } from '../../src/http/calls/repeats/caller-seat.ts';
import { UnheardCalls } from '../../src/http/calls/repeats/unheard-calls.ts';
import { CallMemory } from '../../src/workflows/calls/call-memory.ts';
import { CallRecorder } from '../../src/workflows/calls/call-recorder.ts';
import { RoutedCalls } from '../../src/workflows/calls/routes/routed-calls.ts';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const usage = { input_tokens: 10, output_tokens: 4 };
const whole = { type: 'message', content: [{ type: 'text', text: 'Yes' }], usage };
const COST = 10 * 1_000 + 4 * 2_000;
const question = { model: 'claude', max_tokens: 900, messages: [{ role: 'user', content: 'Is it?' }] };
const CHAT = '/v1/chat/completions';
const MARKED = { 'x-stainless-retry-count': '1' };

export function repeatedCalls(start: () => CallsWorld): void {
  describe('a call whose caller leaves before the answer', () => {
    let world: CallsWorld;
    let answering: ServerResponse[];
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      answering = [];
      world.provider.respond = (res) => answering.push(res);
    });
    const ask = (headers: Record<string, string>, body: object = question, path = '/v1/messages') => world.ask(path, headers, body);
    /** Sends a request, and leaves when the provider has it. */
    const leave = async (headers: Record<string, string>, body: object = question, path = '/v1/messages') => {
      const sent = world.send(path, headers, body).on('error', () => undefined);
      const count = answering.length + 1;
      await waitFor(() => answering.length === count, { what: 'the call' });
      const before = world.service.part(UnheardCalls).size;
      sent.destroy();
      await waitFor(() => world.service.part(UnheardCalls).size > before, { what: 'the caller to be gone' });
      return answering.at(-1)!;
    };
    /** The place of the last caller who has left. */
    const seat = () => ([...world.service.part(UnheardCalls)['all']].at(-1)!.outcome as { seat: CallerSeat }).seat;
    const taken = (place: CallerSeat) => waitFor(() => !place.isFree, { what: 'the repeat to take the place' });
    /** Makes the next record of an outcome wait. */
    const recordLater = () => {
      const recorder = world.service.part(CallRecorder);
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = recorder.end.bind(recorder);
      jest.spyOn(recorder, 'end').mockImplementationOnce((...of) => promise.then(() => end(...of)));
      return resolve;
    };
    const recorded = (who: { readonly tokenId: string }) => waitFor(async () => (await world.recordOf(who)).at(-1), { what: 'the record' });

    it('is read to its end, and charged as reported', async () => {
      const who = world.caller();
      json(await leave(who.headers), 200, whole);
      expect(await recorded(who)).toMatchObject({ status: 'cancelled', cost_nano_dollars: COST, usage: { output_tokens: 4 } });
    });
    it.each([false, true])('is answered for a repeat that comes meanwhile, and charged once (stream: %s)', async (stream) => {
      const who = world.caller();
      const body = { ...question, stream };
      const res = await leave(who.headers, body);
      const place = seat();
      const repeat = ask({ ...who.headers, ...MARKED }, body);
      await waitFor(() => !place.isFree, { what: 'the repeat' });
      if (stream) {
        beginEvents(res);
        res.end(events({ type: 'message_start', message: { usage } }, { type: 'message_delta', usage }, { type: 'message_stop' }));
      } else json(res, 200, whole);
      const answer = await repeat;
      expect([answer.status, answer.text.includes(stream ? 'message_stop' : 'Yes')]).toEqual([200, true]);
      expect(await world.recordOf(who)).toMatchObject([
        { call_id: answer.headers['x-parlance-call'], status: 'completed', cost_nano_dollars: COST },
      ]);
      expect([world.provider.requests.length, world.service.part(UnheardCalls)['ofToken'].has(who.tokenId)]).toEqual([1, false]);
    });
    it('is answered for a repeat that comes later, once', async () => {
      const who = world.caller();
      json(await leave(who.headers), 200, whole);
      const record = await recorded(who);
      world.provider.respond = (res) => json(res, 200, whole);
      const repeats = [await ask({ ...who.headers, ...MARKED }), await ask({ ...who.headers, ...MARKED })];
      expect(repeats.map(({ status }) => status)).toEqual([200, 200]);
      expect(repeats[0]!.headers).toMatchObject({ 'x-parlance-call': record!.call_id, 'x-parlance-cost': String(COST / 1e9) });
      expect(repeats[1]!.headers['x-parlance-call']).not.toBe(record!.call_id);
    });
    it('is left to one repeat after the other', async () => {
      const who = world.caller();
      const res = await leave(who.headers);
      const second = world.send('/v1/messages', { ...who.headers, ...MARKED }, question).on('error', () => undefined);
      const place = seat();
      await waitFor(() => !place.isFree, { what: 'the second caller' });
      second.destroy();
      await waitFor(() => place.isFree, { what: 'the second caller to be gone' });
      const third = ask({ ...who.headers, 'x-stainless-retry-count': '2' });
      await waitFor(() => !place.isFree, { what: 'the third caller' });
      json(res, 200, whole);
      expect((await third).status).toBe(200);
      expect(world.provider.requests).toHaveLength(1);
    });
    it('ends with its refusal for the repeat, which is not charged again', async () => {
      const who = world.caller();
      const res = await leave(who.headers);
      const repeat = ask({ ...who.headers, ...MARKED });
      const place = seat();
      await waitFor(() => !place.isFree, { what: 'the repeat' });
      res.destroy();
      const answer = await repeat;
      expect([errorOf(answer), answer.headers['x-should-retry']]).toEqual([[503, 'recorded_not_visible'], 'false']);
      expect(await world.recordOf(who)).toHaveLength(1);
    });
    it('is given up if it is a stream and nobody comes', async () => {
      const who = world.caller();
      const res = await leave(who.headers, { ...question, stream: true });
      const closed = new Promise((resolve) => void res.once('close', resolve));
      const place = seat();
      place['leftAt'] -= FREE_MILLIS;
      beginEvents(res);
      res.write(events({ type: 'message_start', message: { usage } }));
      await closed;
      expect(await recorded(who)).toMatchObject({ status: 'cancelled', usage: { estimated: true } });
    });
    it('is not taken for silent while its stream waits for a repeat', async () => {
      const who = world.caller();
      const body = { model: 'one', stream: true, messages: [] };
      const res = await leave(who.headers, body, CHAT);
      beginEvents(res);
      res.end(`${events({ choices: [{ delta: { content: 'Hi' } }] }, { choices: [], usage: { prompt_tokens: 1 } })}data: [DONE]\n\n`);
      // Its provider may be silent for a second.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect((await ask({ ...who.headers, ...MARKED }, body, CHAT)).text).toContain('[DONE]');
      expect(world.provider.requests).toHaveLength(1);
    });
    it('is made by the repeat that came too late for its stream', async () => {
      const who = world.caller();
      const body = { ...question, stream: true };
      const res = await leave(who.headers, body);
      const closed = new Promise((resolve) => void res.once('close', resolve));
      const place = seat();
      place['leftAt'] -= FREE_MILLIS;
      const record = recordLater();
      beginEvents(res);
      res.write(events({ type: 'message_start', message: { usage } }));
      await closed;
      const repeat = ask({ ...who.headers, ...MARKED }, body);
      await taken(place);
      record();
      await waitFor(() => answering.length === 2, { what: 'the call of the repeat' });
      json(answering[1]!, 200, whole);
      expect((await repeat).status).toBe(200);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'cancelled' }, { status: 'completed', cost_nano_dollars: COST }]);
    });
    it('is made by the repeat if a model refuses it meanwhile, and others are not asked', async () => {
      world.forgetTargets();
      const who = world.caller();
      const body = { model: 'third-pair', messages: [] };
      const res = await leave(who.headers, body, CHAT);
      const repeat = ask({ ...who.headers, ...MARKED }, body, CHAT);
      await taken(seat());
      json(res, 500, {});
      await waitFor(() => answering.length === 2, { what: 'the call of the repeat' });
      json(answering[1]!, 200, whole);
      expect((await repeat).status).toBe(200);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'cancelled', cost_nano_dollars: 0 }, { status: 'completed' }]);
    });
    it('holds the bytes of its repeat, too', async () => {
      const who = world.caller();
      const bytes = () => world.service.part(CallMemory)['bytes'];
      const res = await leave(who.headers);
      const one = bytes();
      const repeat = ask({ ...who.headers, ...MARKED });
      await taken(seat());
      expect(bytes()).toBe(2 * one);
      json(res, 200, whole);
      await repeat;
      expect([one > 0, bytes()]).toEqual([true, 0]);
    });
    it.each<[string, (who: { headers: Record<string, string> }) => [Record<string, string>, object]]>([
      ['that says nothing about a repeat', ({ headers }) => [headers, question]],
      [
        'with another body',
        ({ headers }) => [
          { ...headers, ...MARKED },
          { ...question, max_tokens: 899 },
        ],
      ],
      ['of another token', () => [{ ...world.caller().headers, ...MARKED }, question]],
      ['with a header that the provider receives', ({ headers }) => [{ ...headers, ...MARKED, 'anthropic-beta': 'x' }, question]],
    ])('is not what a request gets %s', async (_, other) => {
      const who = world.caller();
      json(await leave(who.headers), 200, whole);
      const { call_id } = (await recorded(who))!;
      world.provider.respond = (res) => json(res, 200, whole);
      expect((await ask(...other(who))).headers['x-parlance-call']).not.toBe(call_id);
    });
    it('ends and costs nothing while it waits for its turn, and is made again by its repeat', async () => {
      const [first, second] = [world.caller(), world.caller()];
      const narrow = { model: 'narrow', messages: [] };
      const running = world.chat(first.headers, narrow);
      await waitFor(() => answering.length === 1, { what: 'the call' });
      const sending = jest.spyOn(world.service.part(RoutedCalls), 'send');
      const sent = world.send('/v1/chat/completions', second.headers, narrow).on('error', () => undefined);
      await waitFor(() => sending.mock.calls.length === 1, { what: 'the second call to wait' });
      const record = recordLater();
      const before = world.service.part(UnheardCalls).size;
      sent.destroy();
      await waitFor(() => world.service.part(UnheardCalls).size > before, { what: 'the caller to be gone' });
      const repeat = ask({ ...second.headers, ...MARKED }, narrow, CHAT);
      await taken(seat());
      record();
      expect(await recorded(second)).toMatchObject({ status: 'cancelled', cost_nano_dollars: 0 });
      for (const count of [1, 2]) {
        await waitFor(() => answering.length === count, { what: 'the call' });
        json(answering.at(-1)!, 200, { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
      }
      expect([(await running).status, (await repeat).status, world.provider.requests.length]).toEqual([200, 200, 2]);
    });
  });

  describe('a call that was charged without an answer', () => {
    let world: CallsWorld;
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => res.destroy();
    });
    const ask = (headers: Record<string, string>) => world.ask('/v1/messages', headers, question);

    it('is not made again for the same request, until a minute later or with another Idempotency-Key', async () => {
      const who = world.caller();
      const first = await ask(who.headers);
      const again = await ask(who.headers);
      expect([first, again].map(errorOf)).toEqual([
        [503, 'recorded_not_visible'],
        [503, 'recorded_not_visible'],
      ]);
      const id = first.headers['x-parlance-call'] as string;
      expect([again.text.includes(id), again.text.includes('Idempotency-Key'), again.headers['x-should-retry']]).toEqual([
        true,
        true,
        'false',
      ]);
      expect([world.provider.requests.length, (await world.recordOf(who)).length]).toEqual([1, 1]);
      await ask({ ...who.headers, 'idempotency-key': 'second' });
      expect(world.provider.requests).toHaveLength(2);
      await ask(world.caller().headers);
      expect(world.provider.requests).toHaveLength(3);
    });
  });
}
