import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { At } from '@parlance/read-models';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { MESSAGES_REMOVED_AT_ONCE } from '../src/domain/conversation-limits.ts';
import { messages } from '../src/projections/messages/messages.ts';
import { inference } from '../src/service.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('when a user is erased', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const post = (userId: string, conversation_id?: string) =>
    request(service.server)
      .post('/conversation')
      .set(service.as(userId))
      .send({ conversation_id, message: { content: [{ content_type: 'text', body: 'What can you do?' }] } });
  /** Another branch off the first reply. */
  const say = async (userId: string, { conversation_id, message_id }: Place) => {
    const message = { parent_message_id: message_id, content: [{ content_type: 'text', body: 'And?' }] };
    const { status } = await request(service.server).post('/conversation').set(service.as(userId)).send({ conversation_id, message });
    expect(status).toBe(202);
  };
  const statusOf = async (userId: string, { conversation_id, message_id }: Place) =>
    (await request(service.server).get(`/conversation/${conversation_id}/${message_id}`).set(service.as(userId))).status;
  const talk = async (userId: string, conversationId?: string): Promise<Place> => {
    const { body } = await post(userId, conversationId);
    await waitFor(async () => (await statusOf(userId, body)) === 200, { what: 'the reply' });
    return body;
  };
  const erase = async (user_id: string) =>
    (await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id })).body;

  let first: Place;
  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
  });
  afterAll(() => service.stop());

  it('a conversation id of another user is taken', async () => {
    first = await talk('ann');
    expect((await post('ben', first.conversation_id)).body).toMatchObject({ status: 409, code: 'conversation_id_taken' });
  });
  it('only the conversations of the user are erased', async () => {
    await talk('ann', first.conversation_id);
    const [second, bens] = [await talk('ann'), await talk('ben')];
    await keys.erase('ann');
    expect(await erase('ann')).toEqual({ service: 'inference', removed: { conversations: 2, messages: 6 } });
    expect([await statusOf('ann', first), await statusOf('ann', second), await statusOf('ben', bens)]).toEqual([404, 404, 200]);
  });
  it.each([
    [
      { type: 'ConversationErased', userId: 'ann', messageIds: ['m', 'r'] },
      ['conversations c', 'conversation_documents c'],
      { conversations: 1, messages: 2 },
    ],
    [{ type: 'MessagesRemoved', userId: 'ann', messageIds: ['m', 'r'] }, [], { conversations: 0, messages: 2 }],
  ])('the rows of each message are removed, even by an event of release 0.2', (event, others, amounts) => {
    const changes = messages.changes(event, { stream: 'conversation-c' } as At);
    expect(changes.filter(({ op }) => op === 'remove').map(({ table, key }) => `${table.name} ${key}`)).toEqual([
      ...others,
      'messages c/m',
      'used_chunks c/m',
      'provenance c/m',
      'owed_replies m',
      'tool_rounds c/m',
      'messages c/r',
      'used_chunks c/r',
      'provenance c/r',
      'owed_replies r',
      'tool_rounds c/r',
    ]);
    expect(changes.at(-1)).toMatchObject({ op: 'add', key: 'ann', amounts });
  });
  it('the receipt stays the same, however often it is requested', async () => {
    expect(await erase('ann')).toEqual({ service: 'inference', removed: { conversations: 2, messages: 6 } });
    expect(await erase('cat')).toEqual({ service: 'inference', removed: { conversations: 0, messages: 0 } });
  });
  it('the user can no longer add anything', async () => {
    expect((await post('ann')).status).toBe(401);
    for (const userId of ['ann', 'ben'])
      expect((await post(userId, first.conversation_id)).body).toMatchObject({ status: 409, code: 'conversation_id_taken' });
  });
  it('a reply that is being written ends without effect', async () => {
    const { body } = await post('dan');
    expect(await erase('dan')).toMatchObject({ removed: { conversations: 1, messages: 2 } });
    expect(await statusOf('dan', body)).toBe(404);
  });
  it('the stored responses of the user are erased, and counted in the receipt', async () => {
    const responses = (userId: string, method: 'get' | 'post', path = '') =>
      request(service.server)[method](`/v1/responses${path}`).set(service.asModelsToken(newId(), userId));
    const ids: string[] = [];
    for (const userId of ['gus', 'gus', 'hal']) {
      const { status, body } = await responses(userId, 'post').send({ model: 'local-extractive', input: 'Hello?', store: true });
      expect(status).toBe(200);
      ids.push(`/${body.id}`);
    }
    await keys.erase('gus');
    expect(await erase('gus')).toMatchObject({ removed: { responses: 2 } });
    expect(await erase('gus')).toMatchObject({ removed: { responses: 2 } });
    expect([(await responses('gus', 'get', ids[0])).status, (await responses('hal', 'get', ids[2])).status]).toEqual([404, 200]);
    const late = await responses('gus', 'post').send({ model: 'local-extractive', input: 'Hello?', store: true });
    expect(late.status).not.toBe(200);
  });
  it('a long conversation is removed in several steps, requested twice at the same time', async () => {
    const begun = await talk('fay');
    const branches = Array.from({ length: MESSAGES_REMOVED_AT_ONCE / 2 + 20 });
    for (let left = branches.length; left > 0; left -= 4)
      await Promise.all(branches.slice(0, Math.min(4, left)).map(() => say('fay', begun)));
    const count = 2 + 2 * branches.length;
    const answers = await Promise.all([erase('fay'), erase('fay')]);
    expect(answers.map(({ removed }) => removed)).toContainEqual({ conversations: 1, messages: count });
    expect((await erase('fay')).removed).toEqual({ conversations: 1, messages: count });
  });
  it('the event is enough without a request', async () => {
    const place = await talk('eve');
    await service.hear('parlance.identity.user-erased.v1', 'user-eve', { user_id: 'eve' });
    await waitFor(async () => (await statusOf('eve', place)) === 404, { what: 'the conversation to go' });
    expect(await erase('eve')).toMatchObject({ removed: { conversations: 1, messages: 2 } });
  });
});
