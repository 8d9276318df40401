import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import type { BotWidened } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import { MailNotificationWhenChosen, NOTIFICATION_DELAY_MILLIS } from '../src/policies/mail-notification-when-chosen.ts';
import { MailReaders, MailReadersIn } from '../src/projections/mail-readers.ts';
import { NEWS_DAYS } from '../src/workflows/mail/mails-of-events.ts';
import { identityWithMail, type IdentityWithMail } from './mail-rig.ts';
import { adminEmail, password } from './people.ts';

type Notify = { notify(...values: unknown[]): Promise<void> };
const notified = jest.spyOn(MailNotificationWhenChosen.prototype as unknown as Notify, 'notify');
const later = new Date(Date.now() + 30 * 86_400_000).toISOString();
const lists = { allowed_user_ids: [], allowed_group_ids: [], editor_user_ids: [], editor_group_ids: [] };

let rig: IdentityWithMail;
let ann: string;
let ben: string;
/** What the other services show the user of a call. Null while they do not answer. */
let seen: Record<string, string> | null;
let callers: unknown[];

const choose = (userId: string, notification_mails: boolean) => rig.identity.ask('patch', '/user/me', { userId }, { notification_mails });
const userWith = async (name: string, groups: readonly string[] = []) => {
  const body = { email: `${name}@example.org`, password, first_name: name, last_name: 'A', groups };
  return (await rig.identity.ask('post', '/admin/users', rig.identity.admin, body)).body.user_id as string;
};

beforeAll(async () => {
  rig = await identityWithMail();
  await rig.identity.ask('post', '/admin/groups', rig.identity.admin, { name: 'red' });
  const titles = (ids: readonly string[] = []) => Object.fromEntries(ids.flatMap((id) => (seen?.[id] === undefined ? [] : [[id, 'It']])));
  for (const [name, fields] of [
    ['bots', { bots: 'bot_ids', prompts: 'prompt_ids' }],
    ['inference', { projects: 'project_ids', awaiting: 'awaiting_reply_ids' }],
  ] as const) {
    const service = fastify();
    service.post<{ Body: Record<string, readonly string[]> }>('/internal/seen-titles', async ({ body, headers }, reply) => {
      if (seen === null) return reply.code(503).send(refuse('unavailable', 'service_unavailable', 'Away.'));
      callers.push(JSON.parse(Buffer.from(String(headers['x-parlance-caller']).split('.')[0]!, 'base64url').toString()).sub);
      return Object.fromEntries(Object.entries(fields).map(([field, ids]) => [field, titles(body[ids])]));
    });
    await rig.identity.host.local.enter(name, service);
  }
});
beforeEach(async () => {
  [ann, ben] = [await userWith(`ann-${newId()}`, ['red']), await userWith(`ben-${newId()}`, ['red'])];
  rig.server.received.length = 0;
  rig.server.recipients.length = 0;
  [seen, callers] = [{}, []];
  notified.mockClear();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await rig.identity.stop();
});

/** Waits until the policy has handled this many events, and sends the mails that are due after a time. */
async function sentAfter(events: number, millis = NOTIFICATION_DELAY_MILLIS) {
  await waitFor(() => notified.mock.results.length >= events, { what: 'the events' });
  await Promise.all(notified.mock.results.map(({ value }) => value));
  rig.identity.later(millis);
  await rig.mails.sendDue();
  return rig.subjects();
}
const texts = () => rig.server.received.map((text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
const hear = (type: string, data: object) => rig.identity.hear(`parlance.${type}.v1`, `its-${newId()}`, data);
const shareBot = (bot_id: string, added: object) =>
  hear('bots.bot-widened', { bot_id, shared_scope: 'partial', previous_scope: 'private', ...lists, ...added });

describe('a user who has chosen mails about notifications', () => {
  afterEach(() => choose(ann, false));
  beforeEach(() => choose(ann, true));

  it('gets one about a shared bot after two minutes, with a link to it, and nobody else does', async () => {
    seen = { b1: 'It' };
    await shareBot('b1', { added_user_ids: [ann, ben] });
    expect(await sentAfter(1, NOTIFICATION_DELAY_MILLIS / 2)).toEqual([]);
    expect(await sentAfter(1, NOTIFICATION_DELAY_MILLIS / 2)).toEqual(['A bot was shared with you']);
    expect(texts()[0]).toMatch(/:\/\/[^/\s]+\/app\/store\/b1\r\n/);
    expect(texts()[0]).not.toContain('It');
    expect(callers).toEqual([ann]);
  });

  it('gets one about what is shared with a group', async () => {
    seen = { p1: 'It', p2: 'It' };
    const sharing = { prompt_id: 'p1', owner_user_id: ben, shared_scope: 'partial', previous_scope: 'private', because: 'requested' };
    await hear('bots.prompt-sharing-changed', { ...sharing, ...lists, added_group_ids: ['blue'] });
    expect(await sentAfter(1)).toEqual([]);
    await hear('bots.prompt-sharing-changed', { ...sharing, ...lists, prompt_id: 'p2', added_group_ids: ['blue', 'red'] });
    expect(await sentAfter(2)).toEqual(['A prompt was shared with you']);
    expect(texts()[0]).toMatch(/\/app\/prompts\/p2\r\n/);
  });

  it('gets one about what is shared with a group of which others are on an earlier page', async () => {
    await choose(ben, true);
    const queries = rig.identity.part(QueryBus);
    const execute = queries.execute.bind(queries);
    const pages: unknown[] = [];
    const paged = jest.spyOn(queries, 'execute').mockImplementation(async (query) => {
      if (!(query instanceof MailReadersIn)) return execute(query);
      if (pages.length > 2) throw new Error('the pages repeat');
      const page = await execute(new MailReadersIn(query.args[0], query.args[1], 1));
      pages.push(...page.userIds);
      return page;
    });
    seen = { b1: 'It' };
    await shareBot('b1', { added_group_ids: ['red'] });
    expect(await sentAfter(1)).toEqual(['A bot was shared with you', 'A bot was shared with you']);
    paged.mockRestore();
    expect([pages, callers.toSorted()]).toEqual([
      [ann, ben],
      [ann, ben],
    ]);
    await choose(ben, false);
  });

  it('gets one mail about everything of a kind within an hour', async () => {
    seen = { b1: 'It', b2: 'It', j1: 'It' };
    for (const bot of ['b1', 'b2']) await shareBot(bot, { added_user_ids: [ann] });
    await hear('inference.project-shared', { project_id: 'j1', owner_user_id: ben, user_id: ann, role: 'viewer' });
    expect((await sentAfter(3)).toSorted()).toEqual(['A bot was shared with you', 'A project was shared with you']);
  });

  it('gets one about what is still visible of what was shared in two minutes, and of what is shared after that', async () => {
    seen = { b2: 'It' };
    for (const bot of ['b1', 'b2', 'b3']) await shareBot(bot, { added_user_ids: [ann] });
    expect(await sentAfter(3)).toEqual(['A bot was shared with you']);
    expect(texts()[0]).toMatch(/\/app\/store\/b2\r\n/);
    seen = {};
    await hear('inference.project-shared', { project_id: 'j1', owner_user_id: ben, user_id: ann, role: 'viewer' });
    await sentAfter(4);
    seen = { j2: 'It' };
    await hear('inference.project-shared', { project_id: 'j2', owner_user_id: ben, user_id: ann, role: 'viewer' });
    expect(await sentAfter(5)).toEqual(['A bot was shared with you', 'A project was shared with you']);
  });

  it('gets none about what is no longer visible, after turning the mails off, or while disabled', async () => {
    await shareBot('b1', { added_user_ids: [ann] });
    expect(await sentAfter(1)).toEqual([]);
    seen = { j1: 'It' };
    await hear('inference.project-shared', { project_id: 'j1', owner_user_id: ben, user_id: ann, role: 'viewer' });
    await choose(ann, false);
    expect(await sentAfter(2)).toEqual([]);
    expect(callers).toEqual([ann]);
  });

  it('gets one about each reply that still waits, and none about a reply that has gone on or whose time is over', async () => {
    seen = { r1: 'It', r3: 'It', r4: 'It' };
    const wanted = { conversation_id: 'c1', user_id: ann, bot_id: 'b1', expires_at: later };
    await hear('inference.approval-wanted', { ...wanted, reply_id: 'r1' });
    await hear('inference.approval-wanted', { ...wanted, reply_id: 'r2' });
    await hear('inference.approval-wanted', { ...wanted, reply_id: 'r3', conversation_id: 'c3' });
    const soon = new Date(Date.now() + NOTIFICATION_DELAY_MILLIS / 2).toISOString();
    await hear('inference.approval-wanted', { ...wanted, reply_id: 'r4', conversation_id: 'c4', expires_at: soon });
    expect(await sentAfter(4)).toEqual(['A reply is waiting for your approval', 'A reply is waiting for your approval']);
    const links = texts().map((text) => /\/app\/(c\/\w+)\r\n/.exec(text)?.[1]);
    expect(links.toSorted()).toEqual(['c/c1', 'c/c3']);
  });

  it('gets none about what the same user did, and none about an old event', async () => {
    seen = { b1: 'It', b2: 'It' };
    const policy = rig.identity.part(MailNotificationWhenChosen);
    const widened = (bot_id: string, actor: string, time: number) =>
      policy.onBotWidened({
        id: newId(),
        actor,
        time: new Date(time).toISOString(),
        data: { bot_id, added_group_ids: ['red'] },
      } as unknown as CloudEvent<BotWidened>);
    await widened('b1', ann, Date.now());
    await widened('b2', ben, Date.now() - NEWS_DAYS * 86_400_000 - 60_000);
    expect(await sentAfter(2)).toEqual([]);
    await widened('b1', ben, Date.now());
    expect(await sentAfter(3)).toEqual(['A bot was shared with you']);
  });

  it('gets it later while it is unknown whether the bot is visible', async () => {
    seen = null;
    await shareBot('b1', { added_user_ids: [ann] });
    expect(await sentAfter(1)).toEqual([]);
    seen = { b1: 'It' };
    expect(await sentAfter(1, 10 * 60_000)).toEqual(['A bot was shared with you']);
  });
});

describe('an administrator who has chosen them', () => {
  const spent = (scope: string, scope_id: string | null, type = 'budget-nearly-reached') =>
    hear(`analytics.${type}`, {
      budget_id: 'u1',
      scope,
      scope_id,
      period: 'DAY',
      mode: 'soft',
      limit_nano_dollars: 10,
      period_start: '2026-01-01',
      spent_nano_dollars: 8,
    });

  it('gets one about budgets of others, and no second one about an own budget', async () => {
    const { userId } = rig.identity.admin;
    for (const each of [userId, ann]) await choose(each, true);
    await spent('user', userId);
    await waitFor(async () => (await sentAfter(1)).length > 0, { what: 'the mail about the own budget' });
    expect(rig.subjects()).toEqual(['Most of your budget is spent']);
    await spent('all', null);
    expect(await sentAfter(2)).toEqual(['Most of your budget is spent', 'A budget is nearly spent']);
    await spent('all', null, 'budget-reached');
    expect((await sentAfter(3)).at(-1)).toBe('A budget is spent');
    expect(rig.server.recipients).toEqual([[adminEmail], [adminEmail], [adminEmail]]);
  });

  it('gets none after leaving the administrators', async () => {
    await choose(rig.identity.admin.userId, false);
    const staying = `staying-${newId()}`;
    const [left, stays] = [await userWith(`leaving-${newId()}`, ['Admin']), await userWith(staying, ['Admin'])];
    for (const each of [left, stays]) await choose(each, true);
    await spent('all', null);
    expect(await sentAfter(1, 0)).toEqual([]);
    await rig.identity.asAdmin('delete', `/admin/users/${left}/groups/Admin`);
    expect(await sentAfter(1)).toEqual(['A budget is nearly spent']);
    expect(rig.server.recipients).toEqual([[`${staying}@example.org`]]);
  });
});

describe('the choice', () => {
  it('is off at first', async () => {
    expect((await rig.identity.ask('get', '/user/me', { userId: ann })).body.notification_mails).toBe(false);
    expect((await choose(ann, true)).body.notification_mails).toBe(true);
  });

  it('leaves nothing behind when the user is erased', async () => {
    const readers = () => rig.identity.part(QueryBus).execute(new MailReaders([ann]));
    await choose(ann, true);
    expect(await readers()).toEqual([ann]);
    await rig.identity.asAdmin('delete', `/admin/users/${ann}`);
    expect(await readers()).toEqual([]);
  });
});
