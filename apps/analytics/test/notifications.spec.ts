import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import request from 'supertest';
import type { Notification, NotificationList } from '../src/http/notifications/notification-answers.ts';
import { analytics } from '../src/service.ts';
import { enterPeople, person } from './other-services.ts';

const [ANN, BEN, CAT] = [newId(), newId(), newId()];
const DAY_MILLIS = 86_400_000;

let service: ServiceUnderTest;
/** The titles of what users may see. Null while the other services are unavailable. */
let titles: Record<string, string> | null = {};

beforeAll(async () => {
  service = await serviceUnderTest(analytics);
  await enterPeople(service.host, [person(ANN, { first_name: 'Ann', last_name: 'A' }), person(CAT, { groups: ['left'] })]);
  const seen = (ids: readonly string[]) => Object.fromEntries(Object.entries(titles ?? {}).filter(([id]) => ids.includes(id)));
  const bots = fastify();
  bots.post<{ Body: { bot_ids: readonly string[]; prompt_ids: readonly string[] } }>('/internal/seen-titles', async ({ body }, reply) => {
    if (titles === null) return reply.code(503).send(refuse('unavailable', 'service_unavailable', 'Away.'));
    return { bots: seen(body.bot_ids), prompts: seen(body.prompt_ids) };
  });
  await service.host.local.enter('bots', bots);
  const inference = fastify();
  inference.post<{ Body: { project_ids: readonly string[]; awaiting_reply_ids: readonly string[] } }>(
    '/internal/seen-titles',
    async ({ body }, reply) => {
      if (titles === null) return reply.code(503).send(refuse('unavailable', 'service_unavailable', 'Away.'));
      return { projects: seen(body.project_ids), awaiting: seen(body.awaiting_reply_ids) };
    },
  );
  await service.host.local.enter('inference', inference);
});
afterAll(() => service.stop());

type Headers = Record<string, string>;
const ask = async (headers: Headers, query = ''): Promise<NotificationList> => {
  const { status, body } = await request(service.server).get(`/user/me/notifications${query}`).set(headers);
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
};
const listed = (headers: Headers, count: number) =>
  waitFor(async () => (await ask(headers)).notifications.length === count, { what: `${count} notifications` });
const mark = (headers: Headers, up_to: string) => request(service.server).post('/user/me/notifications/read').set(headers).send({ up_to });
const lists = { allowed_user_ids: [], allowed_group_ids: [], editor_user_ids: [], editor_group_ids: [] };
const share = (bot_id: string, added: object) =>
  service.hear('parlance.bots.bot-widened.v1', `bot-${bot_id}`, {
    bot_id,
    shared_scope: 'partial',
    previous_scope: 'private',
    ...lists,
    ...added,
  });
const sharePrompt = (prompt_id: string, added: object) =>
  service.hear('parlance.bots.prompt-sharing-changed.v1', `prompts-${ANN}`, {
    prompt_id,
    owner_user_id: ANN,
    shared_scope: 'partial',
    previous_scope: 'private',
    because: 'requested',
    ...lists,
    ...added,
  });
const shareProject = (project_id: string, user_id: string) =>
  service.hear('parlance.inference.project-shared.v1', `projects-${ANN}`, { project_id, owner_user_id: ANN, user_id, role: 'viewer' });
const finishExport = (user_id: string, expires_at = new Date(Date.now() + DAY_MILLIS).toISOString()) =>
  service.hear('parlance.inference.own-export-ready.v1', `ownexport-${user_id}`, {
    export_id: newId(),
    user_id,
    requested_by: 'user',
    conversations: 1,
    bytes: 1,
    expires_at,
  });
const kindsOf = ({ notifications }: NotificationList) => notifications.map(({ kind }) => kind);

describe('the notifications of a user', () => {
  const ben = () => service.as(BEN, 'team');

  it('are none at first', async () => {
    expect(await ask(ben())).toEqual({ notifications: [], unread: 0, position: '0_0_0_0_0' });
  });
  it('are what was shared with the user and the groups of the user, and exports', async () => {
    titles = { guide: 'Guide', mail: 'Mail' };
    await share('guide', { added_user_ids: [BEN, CAT] });
    await sharePrompt('mail', { added_group_ids: ['team'] });
    await finishExport(BEN);
    await listed(ben(), 3);
    const { notifications, unread } = await ask(ben());
    const nothing = { bot: null, prompt: null, project: null, approval: null, export: null, budget: null };
    const each = { ...nothing, id: expect.any(String), create_time: expect.any(Number), unread: true };
    expect(notifications.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
      { ...each, kind: 'bot_shared', bot: { id: 'guide', title: 'Guide' } },
      { ...each, kind: 'export_ready', export: { id: expect.any(String), expires_at: expect.any(Number) } },
      { ...each, kind: 'prompt_shared', prompt: { id: 'mail', title: 'Mail' } },
    ]);
    expect(unread).toBe(3);
    expect(kindsOf(await ask(service.as(CAT)))).toEqual(['bot_shared']);
    expect((await ask(ben(), '?limit=1')).notifications).toHaveLength(1);
  });
  it('leave out what the user shared', async () => {
    // The actor of the events.
    expect((await ask(service.as('harness', 'team'))).notifications).toEqual([]);
  });
  it('leave out a bot that the user may no longer see', async () => {
    titles = { mail: 'Mail' };
    const { notifications, unread } = await ask(ben());
    expect([JSON.stringify(notifications).includes('guide'), unread]).toEqual([false, 2]);
    titles = { guide: 'Guide', mail: 'Mail' };
  });
  it('are read up to a position, and stay read when that is repeated', async () => {
    const { position } = await ask(ben());
    for (let times = 0; times < 2; times++) expect((await mark(ben(), position)).status).toBe(204);
    expect((await ask(ben())).unread).toBe(0);
    titles = { ...titles, atlas: 'Atlas' };
    await share('atlas', { added_user_ids: [BEN] });
    await listed(ben(), 4);
    const { notifications, unread } = await ask(ben());
    expect([unread, notifications.filter((each) => each.unread).map(({ bot }) => bot?.title)]).toEqual([1, ['Atlas']]);
    expect((await ask(service.as(CAT))).unread).toBe(1);
  });
  it('of bots stay unread while the bots service is unavailable', async () => {
    titles = null;
    const { notifications, position } = await ask(ben());
    expect(notifications.map(({ kind }) => kind)).toEqual(['export_ready']);
    await mark(ben(), position);
    titles = { guide: 'Guide', mail: 'Mail', atlas: 'Atlas' };
    expect((await ask(ben())).unread).toBe(1);
  });
  it('do not include exports whose file is removed', async () => {
    const dan = service.as(newId());
    await finishExport(CAT, new Date(Date.now() - 1).toISOString());
    await finishExport(CAT);
    await listed(service.as(CAT), 2);
    expect(kindsOf(await ask(service.as(CAT))).toSorted()).toEqual(['bot_shared', 'export_ready']);
    expect((await ask(dan)).notifications).toEqual([]);
  });
  it('are about a reply that waits for an approval, until it has one', async () => {
    const eve = newId();
    const expires = Math.floor(Date.now() / 1_000) + 3_600;
    const wanted = {
      conversation_id: 'chat',
      reply_id: 'reply',
      user_id: eve,
      bot_id: null,
      expires_at: new Date(expires * 1_000).toISOString(),
    };
    titles = { reply: 'Mail to Ben' };
    await service.hear('parlance.inference.approval-wanted.v1', 'conversation-chat', wanted);
    await listed(service.as(eve), 1);
    const approval = { conversation_id: 'chat', message_id: 'reply', title: 'Mail to Ben', expires_at: expires };
    expect(await ask(service.as(eve))).toMatchObject({ unread: 1, notifications: [{ kind: 'approval_wanted', approval, export: null }] });
    titles = {};
    expect(await ask(service.as(eve))).toMatchObject({ unread: 0, notifications: [] });
    titles = { guide: 'Guide', mail: 'Mail', atlas: 'Atlas' };
  });
  it('of projects stay unread, with the exports of the same log, while inference is unavailable', async () => {
    const dan = newId();
    titles = { ferries: 'Ferries' };
    await shareProject('ferries', dan);
    await finishExport(dan);
    await listed(service.as(dan), 2);
    titles = null;
    const { notifications, position } = await ask(service.as(dan));
    expect(notifications).toEqual([]);
    await mark(service.as(dan), position);
    titles = { ferries: 'Ferries' };
    const found = await ask(service.as(dan));
    expect(found).toMatchObject({ unread: 2, notifications: [{ kind: 'export_ready' }, { project: { id: 'ferries', title: 'Ferries' } }] });
    titles = {};
    expect(kindsOf(await ask(service.as(dan)))).toEqual(['export_ready']);
    titles = { guide: 'Guide', mail: 'Mail', atlas: 'Atlas' };
  });
  it('are not marked before they exist, whatever the position', async () => {
    expect((await mark(ben(), Array.from({ length: 5 }, () => '9'.repeat(15)).join('_'))).status).toBe(204);
    expect((await ask(ben())).unread).toBe(0);
    titles = { ...titles, late: 'Late' };
    await share('late', { added_user_ids: [BEN] });
    await waitFor(async () => (await ask(ben())).unread === 1, { what: 'the later notification' });
  });
  it.each(['x', '1_2', '0_0_0_0_x'])('are not read up to %s', async (position) => {
    const answer = await mark(ben(), position);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_position']);
  });
  it.each(['?limit=0', '?limit=101'])('are not listed with %s', async (query) => {
    expect((await request(service.server).get(`/user/me/notifications${query}`).set(ben())).status).toBe(400);
  });
});

describe('a budget', () => {
  it('notifies its user and administrators, but no administrator who uses a token', async () => {
    const root = () => service.as('root', 'Admin');
    const body = { scope: 'user', scope_id: ANN, period: 'MONTH', limit: 1e-6, mode: 'soft' };
    const { id } = (await request(service.server).put('/admin/budgets').set(root()).send(body)).body;
    const wish = { holder: 'h', needed: 5_000, wanted: 5_000, closed: [] };
    await request(service.server).post(`/internal/budgets/${id}/lend`).set(service.asService('inference')).send(wish).expect(200);
    await listed(service.as(ANN), 1);
    const budget = { id, scope: 'user', scope_id: ANN, name: null, period: 'MONTH', percent: 100, limit: 1e-6, spent: 0 };
    expect((await ask(service.as(ANN))).notifications).toMatchObject([{ kind: 'budget_threshold', budget }]);
    expect((await ask(root())).notifications).toMatchObject([{ budget: { ...budget, name: 'Ann A' } }]);
    expect((await ask(service.asToken('t', 'root', 'Admin'))).notifications).toEqual([]);
  });
  it('is left out once it is removed', async () => {
    const root = service.as('root', 'Admin');
    const { id } = (await ask(root)).notifications[0]!.budget!;
    await request(service.server).delete(`/admin/budgets/${id}`).set(root).expect(204);
    for (const reader of [root, service.as(ANN)]) expect(await ask(reader)).toMatchObject({ notifications: [], unread: 0 });
  });
});

interface Received {
  readonly id: string;
  readonly data: Notification;
}

/** The events of an open stream. */
async function follow(headers: Headers, query = '') {
  const { port } = (service.server.listening ? service.server : service.server.listen(0)).address() as AddressInfo;
  const call = get({ port, path: `/user/me/notifications/stream${query}`, headers });
  call.on('error', () => undefined);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  let text = '';
  answer.setEncoding('utf8');
  answer.on('data', (part: string) => (text += part));
  answer.on('error', () => undefined);
  const received = () =>
    [...text.matchAll(/^id: (.*)\nevent: notification\ndata: (.*)$/gm)].map(([, id, data]): Received => ({
      id: id!,
      data: JSON.parse(data!) as Notification,
    }));
  return {
    received,
    titles: () => received().map(({ data }) => data.bot?.title),
    gets: (count: number) => waitFor(async () => received().length >= count, { what: `${count} events` }),
    hasEnded: () => answer.closed,
    leave: () => void call.destroy(),
  };
}

describe('a stream of notifications', () => {
  const eve = newId();
  const headers = () => service.as(eve);
  const shared = async (bot: string, user = eve) => {
    titles = { ...titles, [bot]: `Title of ${bot}` };
    await share(bot, { added_user_ids: [user] });
  };

  it('sends new ones of this user', async () => {
    await shared('before');
    await listed(headers(), 1);
    const stream = await follow(headers());
    await shared('of-another', CAT);
    await shared('first');
    await stream.gets(1);
    await shared('second');
    await stream.gets(2);
    expect(stream.titles()).toEqual(['Title of first', 'Title of second']);
    stream.leave();
  });
  it('does not send earlier ones, if it began while the bots service was unavailable', async () => {
    titles = null;
    const stream = await follow(headers());
    titles = {};
    for (const bot of ['before', 'first', 'second', 'later']) titles[bot] = bot;
    await shared('later');
    await stream.gets(1);
    expect(stream.titles()).toEqual(['Title of later']);
    stream.leave();
  });
  it('continues after the last event that its reader has, or after a position of the list', async () => {
    const { position } = await ask(headers());
    const stream = await follow(headers());
    await shared('third');
    await stream.gets(1);
    stream.leave();
    await shared('fourth');
    const resumed = await follow({ ...headers(), 'last-event-id': stream.received()[0]!.id });
    await resumed.gets(1);
    expect(resumed.titles()).toEqual(['Title of fourth']);
    const begun = await follow(headers(), `?after=${position}`);
    await begun.gets(2);
    expect(begun.titles()).toEqual(['Title of third', 'Title of fourth']);
    for (const each of [resumed, begun]) each.leave();
  });
  it('ends before it sends what is for a group that the user has left', async () => {
    const [member, former] = [await follow(service.as(CAT, 'left')), await follow(service.as(CAT, 'left', 'other'))];
    titles = { ...titles, team: 'Title of team' };
    await share('team', { added_group_ids: ['left', 'other'] });
    await member.gets(1);
    await waitFor(async () => former.hasEnded(), { what: 'the end of the stream' });
    expect([member.titles(), member.hasEnded(), former.received()]).toEqual([['Title of team'], false, []]);
    member.leave();
  });
  it('does not begin after an unknown position', async () => {
    const answer = await request(service.server)
      .get('/user/me/notifications/stream')
      .set({ ...headers(), 'last-event-id': 'x' });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_last_event_id']);
  });
  it('is refused to a user who has ten', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(service.as('many'))));
    const refused = await request(service.server).get('/user/me/notifications/stream').set(service.as('many'));
    expect([refused.status, refused.body.code]).toEqual([503, 'too_many_streams']);
    const other = await follow(headers());
    for (const each of [...streams, other]) each.leave();
    const again = async () => (await request(service.server).get('/user/me/notifications/stream?after=x').set(service.as('many'))).status;
    await waitFor(async () => (await again()) === 400, { what: 'the ends of the streams' });
  });
});

describe('when a user is erased', () => {
  it('the notifications are removed, also those whose events arrive later', async () => {
    const fay = newId();
    await finishExport(fay);
    await listed(service.as(fay), 1);
    await mark(service.as(fay), (await ask(service.as(fay))).position);
    await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: fay }).expect(200);
    expect((await ask(service.as(fay))).notifications).toEqual([]);
    await finishExport(fay);
    await finishExport(ANN);
    await listed(service.as(ANN), 1);
    expect((await ask(service.as(fay))).notifications).toEqual([]);
    expect((await mark(service.as(fay), '0_1.0_0_1.0_0')).body.code).toBe('user_not_found');
  });
});

describe('after 90 days', () => {
  it('notifications are no longer listed', async () => {
    titles = { guide: 'Guide', mail: 'Mail' };
    service.later(89 * DAY_MILLIS);
    expect(kindsOf(await ask(service.as(BEN, 'team'))).toSorted()).toEqual(['bot_shared', 'prompt_shared']);
    service.later(2 * DAY_MILLIS);
    expect(await ask(service.as(BEN, 'team'))).toMatchObject({ notifications: [], unread: 0 });
  });
});
