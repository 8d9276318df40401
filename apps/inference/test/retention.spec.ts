import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import type { Sealed } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import { newId } from '@parlance/event-store';
import { fastify } from 'fastify';
import request from 'supertest';
import { MessagesLeft } from '../src/projections/content-of-user.ts';
import { MessageById } from '../src/projections/messages/message-by-id.ts';
import { filesWith } from './files-with.ts';
import { opened } from './opened-service.ts';

const DAYS = 86_400_000;

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('retention rules', () => {
  const { service: inference, buses } = opened();
  const users = new KeysOfUsers();
  let service: ServiceUnderTest;
  const published: CloudEvent[] = [];
  const of = (type: string) => published.filter((event) => event.type === `parlance.inference.${type}.v1`).map(({ data }) => data);
  const as = (userId: string) => service.as(userId, ...(userId === 'root' ? ['Admin'] : []));
  const call = (userId: string, method: 'get' | 'post' | 'patch' | 'delete', path: string) =>
    request(service.server)[method](path).set(as(userId));
  const talk = async (userId: string, options: object = {}): Promise<Place> => {
    const sent = { message: { content: [{ content_type: 'text', body: 'Why marmalade?' }] }, ...options };
    const { body } = await call(userId, 'post', '/conversation').send(sent);
    const isThere = async () => (await call(userId, 'get', `/conversation/${body.conversation_id}/${body.message_id}`)).status === 200;
    await waitFor(isThere, { what: 'the reply' });
    return body;
  };
  const left = async ({ conversation_id }: Place) => (await buses.queries.execute(new MessagesLeft(conversation_id))).length;
  const rule = async (terms: object): Promise<string> => {
    const { status, body } = await call('root', 'post', '/admin/retention').send({ applies_to: 'all', enabled: true, ...terms });
    expect([status, body]).toEqual([201, expect.objectContaining(terms)]);
    return body.id;
  };
  const removeAll = async () => {
    for (const { id } of (await call('root', 'get', '/admin/retention')).body.rules)
      expect((await call('root', 'delete', `/admin/retention/${id}`)).status).toBe(204);
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await users.enter(service.host);
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.inference'],
      handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
    });
  });
  afterAll(() => service.stop());

  it('are listed, changed and removed', async () => {
    const id = await rule({ inactive_days: 30 });
    const changed = await call('root', 'patch', `/admin/retention/${id}`).send({ enabled: false, inactive_days: 31 });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ id, enabled: false, inactive_days: 31 })]);
    expect((await call('root', 'get', '/admin/retention')).body.rules).toEqual([changed.body]);
    await removeAll();
    expect((await call('root', 'get', '/admin/retention')).body).toEqual({ rules: [], next_token: null });
    expect((await call('root', 'patch', `/admin/retention/${id}`).send({ enabled: true })).body.code).toBe('retention_rule_not_found');
  });

  it('have an ETag, and are neither changed nor removed with the ETag of an earlier version', async () => {
    const made = await call('root', 'post', '/admin/retention').send({ inactive_days: 30, applies_to: 'all', enabled: false });
    expect(made.headers['etag']).toBe(made.body.etag);
    const path = `/admin/retention/${made.body.id}`;
    const patch = (tag: string, terms: object) => call('root', 'patch', path).set('if-match', tag).send(terms);
    const changed = await patch(made.body.etag, { inactive_days: 7 });
    expect([changed.status, changed.headers['etag']]).toEqual([200, changed.body.etag]);
    expect(changed.body.etag).not.toBe(made.body.etag);
    const stale = await patch(made.body.etag, { enabled: true });
    const removedStale = await call('root', 'delete', path).set('if-match', made.body.etag);
    expect([stale, removedStale].map(({ status, body: { code } }) => [status, code])).toEqual([
      [412, 'version_stale'],
      [412, 'version_stale'],
    ]);
    expect((await patch('now', { enabled: true })).body.code).toBe('invalid_if_match');
    expect((await call('root', 'get', '/admin/retention')).body.rules).toEqual([changed.body]);
    expect((await call('root', 'delete', path).set('if-match', changed.body.etag)).status).toBe(204);
    expect((await patch('*', { enabled: true })).body.code).toBe('retention_rule_not_found');
  });

  it('are changed with If-Match: * whatever their version is, also by requests at the same time', async () => {
    const path = `/admin/retention/${await rule({ inactive_days: 30, enabled: false })}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        call('root', 'patch', path)
          .set('if-match', '*')
          .send({ inactive_days: 40 + index }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await call('root', 'delete', path).set('if-match', '*')).status).toBe(204);
  });

  it('are created, changed and removed only with a fresh second factor', async () => {
    const id = await rule({ inactive_days: 30, enabled: false });
    users.unproved.add('root');
    const body = { inactive_days: 1, applies_to: 'all', enabled: true };
    const made = await call('root', 'post', '/admin/retention').send(body);
    const changed = await call('root', 'patch', `/admin/retention/${id}`).send({ enabled: true });
    const removed = await call('root', 'delete', `/admin/retention/${id}`);
    for (const answer of [made, changed, removed]) expect([answer.status, answer.body.code]).toEqual([403, 'step_up_required']);
    expect((await call('root', 'get', '/admin/retention')).body.rules).toEqual([expect.objectContaining({ id, enabled: false })]);
    users.unproved.delete('root');
    await removeAll();
  });

  it.each([
    [{ inactive_days: 0 }, 'inactive_days'],
    [{ inactive_days: 3_651 }, 'inactive_days'],
    [{ applies_to: 'bot' }, 'bot_id'],
    [{ bot_id: '01M80G0ZQKQCS4W06KR8FR0EQB' }, 'bot_id'],
    [{ applies_to: 'bot', bot_id: 'x' }, 'bot_id'],
    [{ applies_to: 'group' }, 'group'],
    [{ applies_to: 'group', group: 'Interns', bot_id: '01M80G0ZQKQCS4W06KR8FR0EQB' }, 'bot_id'],
    [{ group: 'Interns' }, 'group'],
  ])('are refused with %j', async (wrong, path) => {
    const body = { inactive_days: 1, applies_to: 'all', enabled: true, ...wrong };
    const answer = await call('root', 'post', '/admin/retention').send(body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, path]);
  });

  it('delete old conversations with their keys, keep others, and keep the costs', async () => {
    const [first, later] = [await talk('ann'), await talk('ann')];
    const row = await buses.queries.execute(new MessageById(first.conversation_id, first.message_id));
    const sealed = row!.message.content as Sealed;
    const off = await rule({ inactive_days: 1, enabled: false });
    const on = await rule({ inactive_days: 30 });
    service.later(29 * DAYS);
    await talk('ann', { conversation_id: later.conversation_id });
    await buses.rounds.deleteInactive();
    expect([await left(first), await left(later)]).toEqual([2, 4]);
    service.later(2 * DAYS);
    await buses.rounds.deleteInactive();
    expect([await left(first), await left(later)]).toEqual([0, 4]);
    expect(await buses.vault.open(sealed)).toBeNull();
    expect(await filesWith(service.host.config.dataDir, 'Why marmalade?')).toEqual([]);

    expect(await buses.queries.execute(new MessageById(first.conversation_id, first.message_id))).toBeNull();
    expect((await call('ann', 'get', `/conversation/${first.conversation_id}`)).status).toBe(404);
    await waitFor(() => of('conversation-deleted').length > 0, { what: 'the public event' });
    expect(of('conversation-deleted')).toEqual([
      expect.objectContaining({ conversation_id: first.conversation_id, because: 'retention', rule_id: on, messages: 2 }),
    ]);
    expect(of('retention-rule-created').slice(-2)).toEqual([
      { rule_id: off, kind: 'conversations', inactive_days: 1, applies_to: 'all', enabled: false },
      { rule_id: on, kind: 'conversations', inactive_days: 30, applies_to: 'all', enabled: true },
    ]);
    // A later round has nothing to repeat.
    await buses.rounds.deleteInactive();
    await removeAll();
    await waitFor(() => of('retention-rule-removed').length > 2, { what: 'the last event' });
    expect(of('conversation-deleted')).toHaveLength(1);
  });

  it('delete stored responses of programs, with all that they continue, some days after the last of them', async () => {
    const headers = (userId: string) => service.asModelsToken(newId(), userId);
    const respond = async (userId: string, more: object = {}): Promise<string> => {
      const body = { model: 'local-extractive', input: 'Why marmalade?', store: true, ...more };
      const answer = await request(service.server).post('/v1/responses').set(headers(userId)).send(body);
      expect(answer.status).toBe(200);
      return answer.body.id;
    };
    const statusOf = async (userId: string, id: string) =>
      (await request(service.server).get(`/v1/responses/${id}`).set(headers(userId))).status;
    const [old, first] = [await respond('ann'), await respond('ann')];
    const group = await rule({ inactive_days: 10, applies_to: 'bot', bot_id: newId() });
    const all = await rule({ inactive_days: 30 });
    service.later(29 * DAYS);
    const second = await respond('ann', { previous_response_id: first });
    await buses.rounds.deleteInactive();
    expect(await Promise.all([old, first, second].map((id) => statusOf('ann', id)))).toEqual([200, 200, 200]);
    service.later(2 * DAYS);
    const counted = (id: string) => call('root', 'get', `/admin/retention/${id}/preview`);
    expect([(await counted(all)).body.responses, (await counted(group)).body.responses]).toEqual([1, 0]);
    const ones = buses.keys;
    await buses.rounds.deleteInactive();
    expect(await Promise.all([old, first, second].map((id) => statusOf('ann', id)))).toEqual([404, 200, 200]);
    expect(await ones.find(`response:${old.slice('resp_'.length)}`)).toBeNull();
    service.later(29 * DAYS);
    await buses.rounds.deleteInactive();
    expect(await Promise.all([first, second].map((id) => statusOf('ann', id)))).toEqual([404, 404]);
    await removeAll();
  });

  it('are previewed without deleting anything', async () => {
    const place = await talk('cid');
    const id = await rule({ inactive_days: 3_000, enabled: false });
    expect((await call('root', 'get', `/admin/retention/${id}/preview`)).body).toEqual({
      rule_id: id,
      conversations: 0,
      responses: 0,
      exports: 0,
      uploads: 0,
      is_complete: true,
    });
    await removeAll();
    expect((await call('root', 'get', `/admin/retention/${id}/preview`)).body.code).toBe('retention_rule_not_found');
    expect(await left(place)).toBe(2);
  });

  it('for exports delete no conversations, and are available to the service that has the files', async () => {
    const place = await talk('ann');
    const ruleForExports = async () =>
      (await request(service.server).get('/internal/retention/exports').set(service.asService('analytics'))).body;
    expect(await ruleForExports()).toEqual({ rule: null });
    const [id, bot] = [await rule({ kind: 'exports', inactive_days: 1 }), { applies_to: 'bot', bot_id: '01M80G0ZQKQCS4W06KR8FR0EQB' }];
    expect(await ruleForExports()).toEqual({ rule: { rule_id: id, days: 1 } });
    const wrong = { kind: 'exports', inactive_days: 1, enabled: true, ...bot };
    expect((await call('root', 'post', '/admin/retention').send(wrong)).body.code).toBe('retention_scope_not_possible');
    expect((await call('root', 'patch', `/admin/retention/${id}`).send(bot)).body.code).toBe('retention_scope_not_possible');
    const files = fastify();
    files.get('/internal/exports/older', async ({ query }) => ({ exports: Number((query as { days: string }).days) + 40 }));
    await service.host.local.enter('analytics', files);
    expect((await call('root', 'get', `/admin/retention/${id}/preview`)).body).toEqual({
      rule_id: id,
      conversations: 0,
      responses: 0,
      exports: 41,
      uploads: 0,
      is_complete: true,
    });
    service.later(100 * DAYS);
    await buses.rounds.deleteInactive();
    expect(await left(place)).toBe(2);
    await removeAll();
  });

  it('delete nothing after they are removed', async () => {
    const kept = await talk('ben');
    await rule({ inactive_days: 1 });
    await removeAll();
    service.later(100 * DAYS);
    await buses.rounds.deleteInactive();
    expect(await left(kept)).toBe(2);
  });
});
