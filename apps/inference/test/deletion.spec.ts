import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import type { Sealed } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { ExecuteConversation } from '../src/commands/aggregates.ts';
import { MessagesLeft } from '../src/projections/content-of-user.ts';
import { DeletionsBegun } from '../src/projections/conversations.ts';
import { MessageById } from '../src/projections/messages/message-by-id.ts';
import { opened } from './opened-service.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('deleting conversations', () => {
  const { service: inference, buses } = opened();
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const published: CloudEvent[] = [];
  const call = (userId: string, method: 'get' | 'post' | 'delete', path: string, headers: Record<string, string> = {}) =>
    request(service.server)[method](path).set(service.as(userId)).set(headers);
  const post = (userId: string, conversation_id?: string) =>
    call(userId, 'post', '/conversation').send({ conversation_id, message: { content: [{ content_type: 'text', body: 'Why?' }] } });
  const statusOf = async (userId: string, { conversation_id, message_id }: Place) =>
    (await call(userId, 'get', `/conversation/${conversation_id}/${message_id}`)).status;
  const talk = async (userId: string, conversationId?: string): Promise<Place> => {
    const { body } = await post(userId, conversationId);
    await waitFor(async () => (await statusOf(userId, body)) === 200, { what: 'the reply' });
    return body;
  };
  const left = async (userId: string) =>
    ((await call(userId, 'get', '/conversations')).body.conversations as Place[]).map(({ conversation_id }) => conversation_id);
  const eraseUser = async (user_id: string) =>
    (await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id })).body.removed;

  /** Conversations whose events cannot be read. */
  const damaged = new Set<string>();

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
    const execute = buses.commands.execute.bind(buses.commands);
    const failing = async (command: object) => {
      if (command instanceof ExecuteConversation && damaged.has(command.id as string))
        throw new SyntaxError('Unexpected end of JSON input');
      return execute(command as never) as never;
    };
    buses.commands.execute = failing as typeof buses.commands.execute;
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.inference'],
      handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
    });
  });
  afterAll(() => service.stop());

  it('removes one, and returns a receipt', async () => {
    const [first, other] = [await talk('ann'), await talk('ann')];
    const last = await talk('ann', first.conversation_id);
    const { status, body } = await call('ann', 'delete', `/conversation/${first.conversation_id}`);
    expect([status, body]).toEqual([
      200,
      { conversation_id: first.conversation_id, removed: { messages: 4 }, removed_from: expect.arrayContaining(['key', 'messages']) },
    ]);
    expect(await left('ann')).toEqual([other.conversation_id]);
    expect([await statusOf('ann', first), await statusOf('ann', last), await statusOf('ann', other)]).toEqual([404, 404, 200]);
    const paths = ['', '/related-documents', '/proposed-title'].map((rest) => `/conversation/${first.conversation_id}${rest}`);
    for (const path of paths) expect((await call('ann', 'get', path)).status).toBe(404);
  });

  it('destroys the key of the content that stays in the log', async () => {
    const { conversation_id, message_id } = await talk('ann');
    const found = await buses.queries.execute(new MessageById(conversation_id, message_id));
    const sealed = found!.message.content as Sealed;
    expect(await buses.vault.open(sealed)).toEqual(expect.any(String));
    await call('ann', 'delete', `/conversation/${conversation_id}`);
    expect(await buses.vault.open(sealed)).toBeNull();
  });

  it('reserves its ID, and cannot be repeated', async () => {
    const { conversation_id } = await talk('ann');
    await call('ann', 'delete', `/conversation/${conversation_id}`);
    expect((await call('ann', 'delete', `/conversation/${conversation_id}`)).status).toBe(404);
    for (const user of ['ann', 'ben']) expect((await post(user, conversation_id)).body.code).toBe('conversation_id_taken');
  });

  it('is refused if the conversation has changed in the meantime', async () => {
    const { conversation_id } = await talk('ann');
    const { headers } = await call('ann', 'get', `/conversation/${conversation_id}`);
    await talk('ann', conversation_id);
    const { status } = await call('ann', 'delete', `/conversation/${conversation_id}`, { 'if-match': headers['etag'] as string });
    expect(status).toBe(412);
    expect(await left('ann')).toContain(conversation_id);
  });

  it('ends a reply that is being written without effect', async () => {
    const { body: place } = await post('dan');
    const { body } = await call('dan', 'delete', `/conversation/${place.conversation_id}`);
    expect(body.removed).toEqual({ messages: 2 });
    const later = await talk('dan');
    // Events are published in the order of the log.
    await waitFor(
      () =>
        published.some(({ data, type }) => type.endsWith('completed.v1') && (data as { reply_id: string }).reply_id === later.message_id),
      {
        what: 'the later reply',
      },
    );
    expect(await statusOf('dan', place)).toBe(404);
  });

  it('charges a reply that was being written, without a trace in the rows', async () => {
    const { conversation_id, message_id } = (await post('eve')).body as Place;
    await call('eve', 'delete', `/conversation/${conversation_id}`);
    const of = (what: string) => published.filter(({ type, data }) => type.endsWith(what) && JSON.stringify(data).includes(message_id));
    // The reply may have been faster than the deletion.
    const isPaid = () => of('reply-completed.v1').length + of('reply-failed.v1').length === 1;
    await waitFor(isPaid, { what: 'the end of the reply' });
    expect(of('tokens-charged.v1').length).toBe(of('reply-failed.v1').length);
    expect(await buses.queries.execute(new MessagesLeft(conversation_id))).toEqual([]);
  });

  it('may be requested twice at the same time', async () => {
    const { conversation_id } = await talk('fay');
    const answers = await Promise.all([1, 2].map(() => call('fay', 'delete', `/conversation/${conversation_id}`)));
    expect(answers.map(({ status }) => status)).toContain(200);
    for (const { status, body } of answers) expect([200, 404]).toContain(status === 200 ? status : body.status);
    for (const { status, body } of answers) if (status === 200) expect(body.removed).toEqual({ messages: 2 });
  });

  it('removes all conversations of a user, and none of others', async () => {
    for (let count = 0; count < 10; count++) await talk('gus');
    const kept = await talk('hal');
    const { status, body } = await call('gus', 'delete', '/conversations');
    expect([status, body]).toEqual([
      200,
      {
        removed: { conversations: 10, messages: 20 },
        removed_from: expect.arrayContaining(['key']),
        on_hold: 0,
        failed: [],
        is_complete: true,
      },
    ]);
    expect([await left('gus'), await left('hal')]).toEqual([[], [kept.conversation_id]]);
    expect((await call('gus', 'delete', '/conversations')).body.removed).toEqual({ conversations: 0, messages: 0 });
  });

  it('removes all others when one cannot be read, and names that one', async () => {
    const places: Place[] = [];
    for (let count = 0; count < 10; count++) places.push(await talk('pia'));
    const { conversation_id } = places[4]!;
    damaged.add(conversation_id);
    const { status, body } = await call('pia', 'delete', '/conversations');
    expect([status, body]).toMatchObject([
      200,
      { removed: { conversations: 9 }, failed: [{ conversation_id, detail: expect.any(String) }], is_complete: true },
    ]);
    expect(await left('pia')).toEqual([conversation_id]);
  });

  it('erases everything else of a user when one conversation cannot be read', async () => {
    const [first, second] = [await talk('rex'), await talk('rex')];
    damaged.add(first.conversation_id);
    await keys.erase('rex');
    const erasure = () => request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'rex' });
    expect((await erasure()).status).toBeGreaterThanOrEqual(500);
    expect(await buses.queries.execute(new MessagesLeft(second.conversation_id))).toEqual([]);
    damaged.delete(first.conversation_id);
    expect((await erasure()).body.removed).toEqual({ conversations: 2, messages: 4 });
  });

  it('of all is not complete before an interrupted deletion has ended', async () => {
    const { conversation_id } = await talk('kim');
    await buses.commands.execute(new ExecuteConversation(conversation_id, { type: 'Delete', userId: 'kim' }));
    expect((await call('kim', 'delete', '/conversations')).body).toMatchObject({ removed: { conversations: 0 }, is_complete: true });
    expect(await buses.queries.execute(new MessagesLeft(conversation_id))).toEqual([]);
  });

  it('is published once, by a user and by the erasure of a user', async () => {
    const [gone, erased] = [await talk('lea'), await talk('lea')];
    await talk('lea', gone.conversation_id);
    await call('lea', 'delete', `/conversation/${gone.conversation_id}`);
    await keys.erase('lea');
    await eraseUser('lea');
    const deletions = () =>
      published.filter(({ type, data }) => type.endsWith('.conversation-deleted.v1') && (data as { user_id: string }).user_id === 'lea');
    await waitFor(() => deletions().length === 2, { what: 'both deletions' });
    expect(deletions().map(({ data }) => data)).toEqual([
      { conversation_id: gone.conversation_id, user_id: 'lea', bot_id: null, because: 'deleted', messages: 4 },
      { conversation_id: erased.conversation_id, user_id: 'lea', bot_id: null, because: 'user_erased', messages: 2 },
    ]);
  });

  it('is not counted again when the user is erased', async () => {
    const [gone] = [await talk('ida'), await talk('ida')];
    await call('ida', 'delete', `/conversation/${gone.conversation_id}`);
    await keys.erase('ida');
    expect(await eraseUser('ida')).toEqual({ conversations: 1, messages: 2 });
  });

  it('continues automatically after it was interrupted, and hides the conversation until then', async () => {
    const place = await talk('jan');
    const { conversation_id } = place;
    await buses.commands.execute(new ExecuteConversation(conversation_id, { type: 'Delete', userId: 'jan' }));
    const rows = () => buses.queries.execute(new MessagesLeft(conversation_id));
    expect([(await rows()).length, await statusOf('jan', place), await left('jan')]).toEqual([2, 404, []]);
    service.later(120_000);
    await waitFor(async () => (await rows()).length === 0, { what: 'the rest of the deletion' });
    const far = Instant.ofSeconds(4_000_000_000);
    await waitFor(async () => (await buses.queries.execute(new DeletionsBegun(far, null))).rows.length === 0, {
      what: 'the end of the deletion',
    });
  });
});
