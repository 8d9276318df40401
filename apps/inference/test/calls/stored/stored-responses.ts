import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { MAX_RESPONSE_BYTES } from '../../../src/domain/responses/response-limits.ts';
import { StoredResponses } from '../../../src/workflows/calls/stored/stored-responses.ts';
import { type CallsWorld, errorOf } from '../calls-world.ts';
import { beginEvents, json } from '../mock-provider.ts';
import { answer, responsesOf, streamOf } from './response-answers.ts';

const OWN_ID = /^resp_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export function storedResponses(start: () => CallsWorld): void {
  describe('a stored response', () => {
    let world: CallsWorld;
    let its: ReturnType<typeof responsesOf>;
    beforeEach(() => {
      world = start();
      its = responsesOf(world);
      world.forgetTargets();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, answer('Bern.'));
    });
    afterEach(() => void jest.restoreAllMocks());

    it('is created, retrieved, continued and deleted with the SDK of OpenAI, and never stored by the provider', async () => {
      const client = its.clientOf(newId());
      const first = await client.responses.create({ model: 'gpt', input: 'The capital?', instructions: 'Be brief.', store: true });
      expect([first.id, first.output_text, its.sent().store]).toEqual([expect.stringMatching(OWN_ID), 'Bern.', false]);
      const { _request_id, output_text, ...shown } = first;
      expect(await client.responses.retrieve(first.id)).toMatchObject(shown);
      const second = await client.responses.create({ model: 'gpt', input: 'And its river?', previous_response_id: first.id, store: true });
      expect(second.previous_response_id).toBe(first.id);
      const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
      const assistant = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Bern.' }] };
      expect(its.sent()).toMatchObject({
        store: false,
        previous_response_id: null,
        input: [user('The capital?'), assistant, user('And its river?')],
      });
      expect(its.sent()).not.toHaveProperty('instructions');
      const items: object[] = [];
      for await (const item of client.responses.inputItems.list(second.id, { order: 'asc', limit: 2 })) items.push(item);
      expect(items).toMatchObject([user('The capital?'), assistant, user('And its river?')]);
      const newest = await client.responses.inputItems.list(second.id, { limit: 1 });
      expect([newest.data, newest.has_more]).toMatchObject([[user('And its river?')], true]);
      const unknown = client.responses.inputItems.list(second.id, { after: 'item_unknown' });
      await expect(unknown).rejects.toMatchObject({ status: 400, code: 'invalid_query', param: 'after' });
      await client.responses.delete(second.id);
      await expect(client.responses.retrieve(second.id)).rejects.toMatchObject({ status: 404, code: 'response_not_found' });
      await expect(client.responses.delete(second.id)).rejects.toMatchObject({ status: 404 });
      expect((await client.responses.retrieve(first.id)).id).toBe(first.id);
    });

    it('has its input in pages of a bounded size', async () => {
      const client = its.clientOf(newId());
      const input = Array.from({ length: 5 }, () => ({ role: 'user', content: 'x'.repeat(300_000) }) as const);
      const { id } = await client.responses.create({ model: 'gpt', input, store: true });
      const page = await client.responses.inputItems.list(id, { order: 'asc' });
      expect([page.data.length, page.has_more]).toEqual([4, true]);
      const all: unknown[] = [];
      for await (const item of client.responses.inputItems.list(id)) all.push(item);
      expect(all).toHaveLength(5);
    });

    it('is streamed with its own ID in each event, and stored before the last one', async () => {
      world.provider.respond = (res) => {
        beginEvents(res);
        const all = streamOf('Bern.');
        res.write(all.slice(0, 60), () => setImmediate(() => res.end(all.slice(60))));
      };
      const client = its.clientOf(newId());
      const ids = new Set<string>();
      const stream = await client.responses.create({ model: 'gpt', input: 'The capital?', store: true, stream: true });
      let status = 0;
      for await (const each of stream) {
        if ('response' in each) ids.add(each.response.id);
        if (each.type !== 'response.completed') continue;
        const found = await client.responses.retrieve(each.response.id).withResponse();
        status = found.response.status;
        expect(found.data).toMatchObject({ ...each.response });
      }
      expect([status, ids.size, [...ids][0]]).toEqual([200, 1, expect.stringMatching(OWN_ID)]);
      const next = await client.responses.stream({ model: 'gpt', input: 'And?', previous_response_id: [...ids][0]! }).finalResponse();
      expect([next.previous_response_id, next.id]).toEqual([[...ids][0], expect.stringMatching(OWN_ID)]);
      expect(its.sent().input.length).toBe(3);
      // `store` was left out.
      await expect(client.responses.retrieve(next.id)).rejects.toMatchObject({ code: 'response_not_found' });
    });

    it('is found by all tokens of its user, and by no other user', async () => {
      const [ann, ben] = [newId(), newId()];
      const id = await its.stored(its.headersOf(ann));
      expect([await its.statusOf(its.headersOf(ann), id), await its.statusOf(its.headersOf(ben), id)]).toEqual([200, 404]);
      expect(errorOf(await its.respond(its.headersOf(ben), { previous_response_id: id }))).toEqual([404, 'previous_response_not_found']);
      await expect(its.clientOf(ben).responses.delete(id)).rejects.toMatchObject({ code: 'response_not_found' });
      await expect(its.clientOf(ben).responses.inputItems.list(id)).rejects.toMatchObject({ code: 'response_not_found' });
      expect(await its.statusOf(its.headersOf(ann), id)).toBe(200);
      expect((await world.ask(`/v1/responses/${id}`, world.service.as(ann))).status).toBe(403);
    });

    it.each(['resp_of_provider', `resp_${'0'.repeat(26)}`, `resp_${'x'.repeat(60)}`])(
      'is not found by an ID that was not issued (%s)',
      async (id) => {
        const headers = its.headersOf(newId());
        expect(errorOf(await world.ask(`/v1/responses/${id}`, headers))).toEqual([404, 'response_not_found']);
        const refused = await its.respond(headers, { previous_response_id: id });
        expect([errorOf(refused), world.provider.requests]).toEqual([[404, 'previous_response_not_found'], []]);
      },
    );

    it('is refused before the call for a long input, and after it for a long answer', async () => {
      const headers = its.headersOf(newId());
      expect(errorOf(await its.respond(headers, { input: 'x'.repeat(MAX_RESPONSE_BYTES) }))).toEqual([413, 'response_too_large']);
      expect(world.provider.requests).toEqual([]);
      world.provider.respond = (res) => json(res, 200, answer('x'.repeat(MAX_RESPONSE_BYTES)));
      expect(errorOf(await its.respond(headers, {}))).toEqual([503, 'recorded_not_visible']);
      expect((await its.respond(headers, { store: false })).status).toBe(200);
      world.provider.respond = (res) => (beginEvents(res), res.end(streamOf('x'.repeat(MAX_RESPONSE_BYTES))));
      const { text } = await its.respond(headers, { stream: true });
      expect([text.includes('event: response.completed'), text.includes('"code":"recorded_not_visible"')]).toEqual([false, true]);
    });

    it.each([
      [
        'an error of the provider',
        (res: Parameters<CallsWorld['provider']['respond']>[0]) => json(res, 400, { error: { message: 'no' } }),
        {},
      ],
      [
        'a stream that broke off',
        (res: Parameters<CallsWorld['provider']['respond']>[0]) => (
          beginEvents(res),
          res.write(streamOf('Bern.').slice(0, 300), () => res.destroy())
        ),
        { stream: true },
      ],
    ])('does not exist after %s', async (_, fails, more) => {
      const store = jest.spyOn(world.service.part(StoredResponses), 'store');
      world.provider.respond = fails;
      await its.respond(its.headersOf(newId()), more).catch(() => undefined);
      expect(store).not.toHaveBeenCalled();
    });

    it('is never answered from the cache', async () => {
      const headers = its.headersOf(newId(), { cache_ttl_seconds: 60 });
      const body = { input: 'Again?' };
      expect(await its.stored(headers, body)).not.toBe(await its.stored(headers, body));
      const [one, other] = [await its.stored(headers), await its.stored(headers)];
      for (const previous_response_id of [one, other, one]) await its.respond(headers, { store: false, previous_response_id });
      expect(world.provider.requests.length).toBe(7);
    });

    it.each([{ store: 'yes' }, { previous_response_id: 7 }, { input: [1] }, { input: 7 }])(
      'is refused for a field of another form (%j)',
      async (body) => {
        expect(errorOf(await its.respond(its.headersOf(newId()), body))).toEqual([400, 'invalid_body']);
        expect(world.provider.requests).toEqual([]);
      },
    );
  });
}
