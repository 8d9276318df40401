import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { newId } from '@parlance/event-store';
import type { Sealed } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { ConversationOf, MessagesBefore } from '../src/projections/conversations.ts';
import { opened } from './opened-service.ts';
import { describeProjects } from './own-projects.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}
interface Summary {
  readonly conversation_id: string;
  readonly title: string;
}

/** A model that costs one dollar for a million tokens, and answers offline. */
const priced = JSON.stringify({
  extends: 'builtin',
  providers: { local: { type: 'local' } },
  models: [{ id: 'priced', provider: 'local', model: 'x', prices: [{ from: '2020-01-01T00:00:00Z', input: 1, output: 1 }] }],
  defaults: { chat: 'priced' },
});

describe("a user's conversations", () => {
  const { service: inference, buses } = opened();
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
  const call = async (userId: string, method: Method, path: string, body?: object, headers: Record<string, string> = {}) => {
    const sending = request(service.server)[method](path).set(service.as(userId)).set(headers);
    return body ? sending.send(body) : sending;
  };
  const post = async (userId: string, text: string, more: { conversation_id?: string; parent?: string } = {}) => {
    const message = { content: [{ content_type: 'text', body: text }], parent_message_id: more.parent };
    const answer = await call(userId, 'post', '/conversation', { conversation_id: more.conversation_id, message });
    expect(answer.status).toBe(202);
    return answer.body as Place;
  };
  const ended = (userId: string, { conversation_id, message_id }: Place) =>
    waitFor(async () => (await call(userId, 'get', `/conversation/${conversation_id}/${message_id}`)).status === 200, { what: 'a reply' });
  const say = async (userId: string, text: string, more: { conversation_id?: string; parent?: string } = {}) => {
    const place = await post(userId, text, more);
    await ended(userId, place);
    return place;
  };
  const list = async (userId: string, query = ''): Promise<{ conversations: Summary[]; next_token: string | null }> =>
    (await call(userId, 'get', `/conversations${query}`)).body;

  beforeAll(async () => {
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: priced });
    await keys.enter(service.host);
  });
  afterAll(() => service.stop());

  describe('are read', () => {
    it('with their messages, branches and cost', async () => {
      const first = await say('ann', 'Why is the sky blue?');
      const { conversation_id } = first;
      const second = await say('ann', 'And the sea?', { conversation_id });
      const branch = await say('ann', 'And grass?', { conversation_id, parent: first.message_id });
      const { status, body, headers } = await call('ann', 'get', `/conversation/${conversation_id}`);
      const questionOf = (place: Place) => body.message_map[place.message_id].parent as string;
      expect([status, Object.keys(body.message_map).length, body.next_token]).toEqual([200, 6, null]);
      expect(body).toMatchObject({
        conversation_id,
        title: 'Why is the sky blue?',
        bot_id: null,
        model: 'priced',
        last_message_id: branch.message_id,
      });
      expect(body.total_price).toBeGreaterThan(0);
      expect(body.last_message_time).toBeGreaterThanOrEqual(Math.floor(body.create_time));
      expect(body.message_map[questionOf(first)]).toMatchObject({
        role: 'user',
        parent: null,
        status: 'completed',
        content: [{ content_type: 'text', body: 'Why is the sky blue?' }],
        children: [first.message_id],
      });
      expect(body.message_map[first.message_id]).toMatchObject({
        role: 'assistant',
        children: [questionOf(second), questionOf(branch)],
      });
      expect(body.message_map[branch.message_id].children).toEqual([]);
      expect(headers['etag']).toMatch(/^"\d+"$/);
      const one = await call('ann', 'get', `/conversation/${conversation_id}/${first.message_id}`);
      expect(one.body.message.children).toEqual([questionOf(second), questionOf(branch)]);
    });

    it('in pages, the newest messages first', async () => {
      const { conversation_id } = await say('ann', 'one');
      await say('ann', 'two', { conversation_id });
      const ids: string[][] = [];
      let query = '?limit=3';
      for (let token: string | null = null; ids.length === 0 || token !== null; query = `?limit=3&next_token=${token}`) {
        const { body } = await call('ann', 'get', `/conversation/${conversation_id}${query}`);
        ids.push(Object.keys(body.message_map));
        token = body.next_token;
      }
      expect(ids.map(({ length }) => length)).toEqual([3, 1]);
      const whole = await call('ann', 'get', `/conversation/${conversation_id}`);
      expect(ids.flat()).toEqual(Object.keys(whole.body.message_map));
      expect(ids.flat()).toEqual(ids.flat().toSorted().reverse());
    });

    it('in pages that end early when the texts are long', async () => {
      const { conversation_id } = await say('ann', 'x'.repeat(1024 * 1024));
      await say('ann', 'y'.repeat(1024 * 1024), { conversation_id });
      await say('ann', 'z'.repeat(1024 * 1024), { conversation_id });
      const { body } = await call('ann', 'get', `/conversation/${conversation_id}`);
      expect(Object.keys(body.message_map).length).toBeLessThan(6);
      expect(body.next_token).not.toBeNull();
    });

    it('in shorter pages when memory is short', async () => {
      const { conversation_id } = await say('ann', 'one '.repeat(1_000));
      const lengthOf = async (most: number) => {
        const { messages, next } = await buses.queries.execute(new MessagesBefore(conversation_id, 100, null, most));
        return [messages.length, next === null];
      };
      expect([await lengthOf(100_000), await lengthOf(100)]).toEqual([
        [2, true],
        [1, false],
      ]);
    });

    it('while a reply is being written', async () => {
      const { conversation_id, message_id } = await post('ann', 'slow? '.repeat(20_000));
      const { body } = await call('ann', 'get', `/conversation/${conversation_id}`);
      expect(['processing', 'completed']).toContain(body.message_map[message_id].status);
      await ended('ann', { conversation_id, message_id });
    });

    it('only by their own user', async () => {
      const { conversation_id, message_id } = await say('ann', 'Mine.');
      const paths = [
        ['get', `/conversation/${conversation_id}`],
        ['get', `/conversation/${conversation_id}/proposed-title`],
        ['get', `/conversation/${conversation_id}/${message_id}`],
        ['delete', `/conversation/${conversation_id}`],
      ] as const;
      for (const [method, path] of paths) expect((await call('ben', method, path)).status).toBe(404);
      expect((await call('ben', 'patch', `/conversation/${conversation_id}/title`, { title: 'His' })).status).toBe(404);
      const rating = { thumbs_up: true };
      expect((await call('ben', 'put', `/conversation/${conversation_id}/${message_id}/feedback`, rating)).status).toBe(404);
      expect((await list('ben')).conversations).toEqual([]);
    });
  });

  describe('are listed', () => {
    it('by their newest message, in full pages', async () => {
      const places: Place[] = [];
      for (const text of ['a', 'b', 'c']) places.push(await say('cat', text));
      const [a, b, c] = places.map(({ conversation_id }) => conversation_id);
      await say('cat', 'again', { conversation_id: a! });
      const first = await list('cat', '?limit=2');
      const second = await list('cat', `?limit=2&next_token=${first.next_token}`);
      expect([first, second].map(({ conversations }) => conversations.map((each) => each.conversation_id))).toEqual([[a, c], [b]]);
      expect(second.next_token).toBeNull();
      expect(first.conversations[0]).toEqual({
        conversation_id: a,
        title: 'a',
        create_time: expect.any(Number),
        last_message_time: expect.any(Number),
        bot_id: null,
        model: 'priced',
        total_price: expect.any(Number),
        project_id: null,
        pinned: false,
        memory: true,
      });
    });
    it('only with a token of the same list', async () => {
      const { next_token } = await list('cat', '?limit=1');
      const { status, body } = await call('ann', 'get', `/conversations?next_token=${next_token}`);
      expect([status, body.code]).toEqual([400, 'invalid_next_token']);
    });
  });

  describe('have a title', () => {
    it('that is stored with the first message, sealed', async () => {
      const { conversation_id } = await say('dan', 'Why do birds sing?');
      const found = await buses.queries.execute(new ConversationOf(conversation_id, 'dan'));
      expect(found!.row.title).toMatch(/^s1\./);
      expect(await buses.vault.open(found!.row.title as Sealed)).toBe('Why do birds sing?');
    });
    it('that their user sets', async () => {
      const { conversation_id } = await say('dan', 'word '.repeat(50));
      const before = (await list('dan')).conversations[0]!.title;
      expect(before).toBe('word '.repeat(20).trim());
      const answer = await call('dan', 'patch', `/conversation/${conversation_id}/title`, { title: 'Größe' });
      expect([answer.status, answer.body.title]).toEqual([200, 'Größe']);
      expect((await list('dan')).conversations[0]!.title).toBe('Größe');
    });
    it.each(['', ' ', 'x'.repeat(101)])('that is not %j', async (title) => {
      const [{ conversation_id }] = (await list('dan')).conversations as [Summary];
      const { status, body } = await call('dan', 'patch', `/conversation/${conversation_id}/title`, { title });
      expect([status, body.code]).toEqual([400, 'invalid_body']);
    });
    it('that does not overwrite a version that the user has not seen', async () => {
      const [{ conversation_id }] = (await list('dan')).conversations as [Summary];
      const path = `/conversation/${conversation_id}/title`;
      const { headers } = await call('dan', 'get', `/conversation/${conversation_id}`);
      const etag = headers['etag'] as string;
      expect((await call('dan', 'patch', path, { title: 'One' }, { 'if-match': etag })).status).toBe(200);
      expect((await call('dan', 'patch', path, { title: 'Two' }, { 'if-match': etag })).status).toBe(412);
    });
    it('that is proposed by rule without a model for titles, and not set', async () => {
      const { conversation_id } = await say('dan', 'How do birds fly?');
      await call('dan', 'patch', `/conversation/${conversation_id}/title`, { title: 'Birds' });
      const { body } = await call('dan', 'get', `/conversation/${conversation_id}/proposed-title`);
      expect(body).toEqual({ title: 'How do birds fly?' });
      expect((await list('dan')).conversations[0]!.title).toBe('Birds');
    });
  });

  describe('accept feedback to their replies', () => {
    let place: Place;
    const rate = (body: object, { conversation_id, message_id } = place) =>
      call('eve', 'put', `/conversation/${conversation_id}/${message_id}/feedback`, body);
    beforeAll(async () => {
      place = await say('eve', 'What is it?');
    });

    it('which is shown with the reply', async () => {
      const given = { thumbs_up: false, category: 'wrong', comment: 'It is not so.' };
      const { status, body } = await rate(given);
      expect([status, body]).toEqual([200, { ...place, ...given }]);
      const path = `/conversation/${place.conversation_id}`;
      expect((await call('eve', 'get', path)).body.message_map[place.message_id].feedback).toEqual(given);
      expect((await call('eve', 'get', `${path}/${place.message_id}`)).body.message.feedback).toEqual(given);
    });
    it('which a later one replaces, and a repeat does not change', async () => {
      expect((await rate({ thumbs_up: true })).status).toBe(200);
      const path = `/conversation/${place.conversation_id}`;
      const { body, headers } = await call('eve', 'get', path);
      expect(body.message_map[place.message_id].feedback).toEqual({ thumbs_up: true, category: null, comment: null });
      await rate({ thumbs_up: true });
      expect((await call('eve', 'get', path)).headers['etag']).toBe(headers['etag']);
    });
    it('which needs a category when it is negative', async () => {
      const { status, body } = await rate({ thumbs_up: false });
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'category_required', 'category']);
    });
    it.each([{ thumbs_up: 'no' }, { thumbs_up: true, category: 'two words' }, { thumbs_up: true, comment: 'x'.repeat(2_001) }])(
      'which is well-formed, and not %j',
      async (body) => expect((await rate(body)).body.code).toBe('invalid_body'),
    );
    it('but messages of the user take none', async () => {
      const { body } = await call('eve', 'get', `/conversation/${place.conversation_id}/${place.message_id}`);
      const message_id = body.message.parent as string;
      expect((await rate({ thumbs_up: true }, { ...place, message_id })).body.code).toBe('message_not_found');
      expect((await rate({ thumbs_up: true }, { ...place, message_id: newId() })).body.code).toBe('message_not_found');
    });
  });

  describeProjects(() => service);
});
