import { afterAll, describe, expect, it } from '@jest/globals';
import { EventStore, newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import type { NotificationList } from '../src/http/notifications/notification-answers.ts';
import { ANN, BEN, CAT, DAY_MILLIS, notifiedService } from './notified-service.ts';

const { service, others, ask, listed, mark, share, sharePrompt, shareProject, finishExport } = await notifiedService();
afterAll(() => service.stop());

const kindsOf = ({ notifications }: NotificationList) => notifications.map(({ kind }) => kind);

describe('the notifications of a user', () => {
  const ben = () => service.as(BEN, 'team');

  it('are none at first', async () => {
    expect(await ask(ben())).toEqual({ notifications: [], unread: 0, position: '0_0_0_0_0' });
  });
  it('are what was shared with the user and the groups of the user, and exports', async () => {
    others.titles = { guide: 'Guide', mail: 'Mail' };
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
    others.titles = { mail: 'Mail' };
    const { notifications, unread } = await ask(ben());
    expect([JSON.stringify(notifications).includes('guide'), unread]).toEqual([false, 2]);
    others.titles = { guide: 'Guide', mail: 'Mail' };
  });
  it('are read up to a position, and stay read when that is repeated', async () => {
    const { position } = await ask(ben());
    for (let times = 0; times < 2; times++) expect((await mark(ben(), position)).status).toBe(204);
    expect((await ask(ben())).unread).toBe(0);
    others.titles = { ...others.titles, atlas: 'Atlas' };
    await share('atlas', { added_user_ids: [BEN] });
    await listed(ben(), 4);
    const { notifications, unread } = await ask(ben());
    expect([unread, notifications.filter((each) => each.unread).map(({ bot }) => bot?.title)]).toEqual([1, ['Atlas']]);
    expect((await ask(service.as(CAT))).unread).toBe(1);
  });
  it('of bots stay unread while the bots service is unavailable', async () => {
    others.titles = null;
    const { notifications, position } = await ask(ben());
    expect(notifications.map(({ kind }) => kind)).toEqual(['export_ready']);
    await mark(ben(), position);
    others.titles = { guide: 'Guide', mail: 'Mail', atlas: 'Atlas' };
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
    others.titles = { reply: 'Mail to Ben' };
    await service.hear('parlance.inference.approval-wanted.v1', 'conversation-chat', wanted);
    await listed(service.as(eve), 1);
    const approval = { conversation_id: 'chat', message_id: 'reply', title: 'Mail to Ben', expires_at: expires };
    expect(await ask(service.as(eve))).toMatchObject({ unread: 1, notifications: [{ kind: 'approval_wanted', approval, export: null }] });
    others.titles = {};
    expect(await ask(service.as(eve))).toMatchObject({ unread: 0, notifications: [] });
    others.titles = { guide: 'Guide', mail: 'Mail', atlas: 'Atlas' };
  });
  it('of projects stay unread, with the exports of the same log, while inference is unavailable', async () => {
    const dan = newId();
    others.titles = { ferries: 'Ferries' };
    await shareProject('ferries', dan);
    await finishExport(dan);
    await listed(service.as(dan), 2);
    others.titles = null;
    const { notifications, position } = await ask(service.as(dan));
    expect(notifications).toEqual([]);
    await mark(service.as(dan), position);
    others.titles = { ferries: 'Ferries' };
    const found = await ask(service.as(dan));
    expect(found).toMatchObject({ unread: 2, notifications: [{ kind: 'export_ready' }, { project: { id: 'ferries', title: 'Ferries' } }] });
    others.titles = {};
    expect(kindsOf(await ask(service.as(dan)))).toEqual(['export_ready']);
    others.titles = { guide: 'Guide', mail: 'Mail', atlas: 'Atlas' };
  });
  it('are not marked before they exist, whatever the position', async () => {
    expect((await mark(ben(), Array.from({ length: 5 }, () => '9'.repeat(15)).join('_'))).status).toBe(204);
    expect((await ask(ben())).unread).toBe(0);
    others.titles = { ...others.titles, late: 'Late' };
    await share('late', { added_user_ids: [BEN] });
    await waitFor(async () => (await ask(ben())).unread === 1, { what: 'the later notification' });
  });
  it('are marked once, however many positions lie between two of them', async () => {
    const reads = async () => (await service.part<EventStore>(EventStore as never).read(`notifications-${BEN}`)).commits.length;
    const { position } = await ask(ben());
    await mark(ben(), position);
    const before = await reads();
    const between = position.split('_').map((each) => (each === '0' ? each : `${Math.trunc(Number(each))}.999`));
    for (const digit of [1, 2, 3])
      expect((await mark(ben(), between.map((each) => (each === '0' ? each : `${each}${digit}`)).join('_'))).status).toBe(204);
    expect(await reads()).toBe(before);
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
    others.titles = { guide: 'Guide', mail: 'Mail' };
    service.later(89 * DAY_MILLIS);
    expect(kindsOf(await ask(service.as(BEN, 'team'))).toSorted()).toEqual(['bot_shared', 'prompt_shared']);
    service.later(2 * DAY_MILLIS);
    expect(await ask(service.as(BEN, 'team'))).toMatchObject({ notifications: [], unread: 0 });
  });
});
