import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { Sealed } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { MessagesLeft } from '../src/projections/content-of-user.ts';
import { MessageById } from '../src/projections/messages/message-by-id.ts';
import { opened } from './opened-service.ts';

const HOURS = 3_600_000;

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('temporary conversations', () => {
  const { service: inference, buses } = opened();
  let service: ServiceUnderTest;
  const call = (userId: string, method: 'get' | 'post' | 'delete', path: string) =>
    request(service.server)[method](path).set(service.as(userId));
  const post = (userId: string, body: object) =>
    call(userId, 'post', '/conversation').send({ message: { content: [{ content_type: 'text', body: 'Why marmalade?' }] }, ...body });
  const talk = async (userId: string, message: object): Promise<Place> => {
    const { body } = await post(userId, message);
    const isThere = async () => (await call(userId, 'get', `/conversation/${body.conversation_id}/${body.message_id}`)).status === 200;
    await waitFor(isThere, { what: 'the reply' });
    return body;
  };
  const left = (id: string) => buses.queries.execute(new MessagesLeft(id));
  const exported = async (...ids: string[]) => {
    const span = { from: 0, to: 8_000_000_000_000, conversations: ids.map((conversation_id) => ({ conversation_id })) };
    const { body } = await request(service.server).post('/internal/exports/messages').set(service.asService('analytics')).send(span);
    return (body.conversations as { messages: object[] }[]).map(({ messages }) => messages.length);
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await new KeysOfUsers().enter(service.host);
  });
  afterAll(() => service.stop());

  it('are in no list, search or export, and are read by their IDs', async () => {
    const hidden = await talk('ann', { temporary: true });
    const shown = await talk('ann', {});
    const ids = async (path: string, field: string) =>
      ((await call('ann', 'get', path)).body[field] as Place[]).map(({ conversation_id }) => conversation_id);
    expect(await ids('/conversations', 'conversations')).toEqual([shown.conversation_id]);
    expect(await ids('/conversations/search?query=marmalade', 'results')).toEqual([shown.conversation_id]);
    expect(await exported(hidden.conversation_id, shown.conversation_id)).toEqual([0, 2]);
    const whole = async ({ conversation_id }: Place) => (await call('ann', 'get', `/conversation/${conversation_id}`)).body;
    expect([(await whole(hidden)).temporary, (await whole(shown)).temporary]).toEqual([true, false]);
    expect((await call('ben', 'get', `/conversation/${hidden.conversation_id}`)).status).toBe(404);
  });

  it('cannot be created from others', async () => {
    const { conversation_id } = await talk('ben', {});
    const { status, body } = await post('ben', { conversation_id, temporary: true });
    expect([status, body.code]).toEqual([409, 'conversation_not_temporary']);
  });

  it('are deleted with all conversations of a user', async () => {
    const { conversation_id } = await talk('cid', { temporary: true });
    expect((await call('cid', 'delete', '/conversations')).body).toMatchObject({ removed: { conversations: 1 }, is_complete: true });
    expect(await left(conversation_id)).toEqual([]);
  });

  it('are deleted with their keys some time after the last message, unlike others', async () => {
    const [first, later, kept] = [await talk('dan', { temporary: true }), await talk('dan', { temporary: true }), await talk('dan', {})];
    const row = await buses.queries.execute(new MessageById(first.conversation_id, first.message_id));
    const sealed = row!.message.content as Sealed;
    expect(await buses.vault.open(sealed)).toEqual(expect.any(String));
    service.later(23 * HOURS);
    await talk('dan', { conversation_id: later.conversation_id });
    service.later(2 * HOURS);
    await waitFor(async () => (await left(first.conversation_id)).length === 0, { what: 'the end of the first' });
    expect(await buses.vault.open(sealed)).toBeNull();
    expect((await call('dan', 'get', `/conversation/${first.conversation_id}`)).status).toBe(404);
    expect([(await left(later.conversation_id)).length, (await left(kept.conversation_id)).length]).toEqual([4, 2]);
    service.later(25 * HOURS);
    await waitFor(async () => (await left(later.conversation_id)).length === 0, { what: 'the end of the other' });
    expect((await left(kept.conversation_id)).length).toBe(2);
  });
});
