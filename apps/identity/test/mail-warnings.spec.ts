import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { MailWarningWhenAccountChanges } from '../src/policies/mail-warning-when-account-changes.ts';
import { NEWS_DAYS } from '../src/workflows/mail/mails-of-events.ts';
import { identityWithMail, type IdentityWithMail } from './mail-rig.ts';
import { password } from './people.ts';

let rig: IdentityWithMail;
let warned: ReturnType<typeof spied>;
let userId: string;

const spied = () => jest.spyOn(MailWarningWhenAccountChanges.prototype as unknown as { warn(...values: unknown[]): Promise<void> }, 'warn');

beforeEach(async () => {
  warned = spied();
  rig = await identityWithMail();
  const body = { email: 'ann@example.org', password, first_name: 'Ann', last_name: 'Archer', groups: [] };
  userId = (await rig.identity.ask('post', '/admin/users', rig.identity.admin, body)).body.user_id;
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rig.identity.stop();
});

/** Waits until the policy has handled this many events, and sends the mails that it requested. */
async function handled(events: number) {
  await waitFor(() => warned.mock.results.length >= events);
  await Promise.all(warned.mock.results.map(({ value }) => value));
  await rig.mails.sendDue();
}
const budget = (scope: string, id = newId(), type = 'budget-reached') =>
  rig.identity.hear(
    `parlance.analytics.${type}.v1`,
    `budget-${id}`,
    {
      budget_id: 'b',
      scope,
      scope_id: userId,
      period: 'DAY',
      mode: 'soft',
      limit_nano_dollars: 1,
      period_start: '2026-01-01',
      spent_nano_dollars: 1,
    },
    id,
  );

/** The event that inference has stored the file of an export. */
const exported = (requested_by: 'user' | 'admin', expires_at = new Date(Date.now() + 86_400_000).toISOString()) => {
  const facts = { export_id: newId(), user_id: userId, requested_by, conversations: 3, bytes: 9 };
  return rig.identity.hear('parlance.inference.own-export-ready.v1', `ownexport-${userId}`, { ...facts, expires_at });
};
/** The texts of the mails without the soft line breaks of their encoding. */
const texts = () => rig.server.received.map((text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='));

describe("a mail about an export of a user's own data", () => {
  it('has a link to the page of the console, which needs a sign-in', async () => {
    await exported('user');
    await handled(1);
    expect(rig.subjects()).toEqual(['Your data is ready']);
    expect(texts()[0]).toMatch(/:\/\/[^/\s]+\/app\/account\/data\r\n/);
  });
  it('states that an administrator asked for the export', async () => {
    await exported('admin');
    await handled(1);
    expect(rig.subjects()).toEqual(['An administrator has exported your data for you']);
    expect(texts()[0]).toContain('An administrator has asked for an export of your data.');
  });
  it('is not sent after the file is removed', async () => {
    await exported('user', new Date(Date.now() - 1_000).toISOString());
    await handled(1);
    expect(rig.server.received).toEqual([]);
  });
});

describe('a warning', () => {
  it('is mailed when the password changed and a token was created', async () => {
    const changed = { current_password: password, new_password: 'another horse battery' };
    expect((await rig.identity.ask('post', '/auth/password', { userId }, changed)).status).toBe(200);
    const made = await rig.identity.ask('post', '/user/me/tokens', { userId }, { description: 'A script', scopes: ['chat'] });
    expect(made.status).toBe(201);
    await handled(2);
    expect(rig.subjects().toSorted()).toEqual(['A personal access token was created', 'Your password has changed']);
    expect(rig.server.recipients).toEqual([['ann@example.org'], ['ann@example.org']]);
    expect(rig.server.received.join()).not.toContain('A script');
  });
  it('is in the language that its user chose, or else in the language of the installation', async () => {
    const choose = (language: unknown) => rig.identity.ask('patch', '/user/me', { userId }, { language });
    const warn = () => budget('user');
    const chosen = await choose('de');
    expect([chosen.status, chosen.body]).toEqual([200, expect.objectContaining({ user_id: userId, language: 'de' })]);
    expect((await choose('it')).status).toBe(400);
    await warn();
    await handled(1);
    expect((await choose(null)).body.language).toBeNull();
    expect((await rig.identity.ask('get', '/user/me', { userId })).body.language).toBeNull();
    await warn();
    await handled(2);
    expect(rig.subjects()).toEqual(['Ihr Budget ist aufgebraucht', 'Your budget is reached']);
  });
  it('is mailed after each change of second factors', async () => {
    const changes = [
      ['second-factor-added', { kind: 'totp' }],
      ['second-factor-removed', { kind: 'totp' }],
      ['second-factors-reset', {}],
    ] as const;
    for (const [type, data] of changes)
      await rig.identity.hear(`parlance.identity.${type}.v1`, `factors-${userId}`, { user_id: userId, ...data });
    await handled(3);
    const subjects = ['A second factor was added', 'A second factor was removed', 'Your second factors were removed'];
    expect(rig.subjects().toSorted()).toEqual(subjects);
  });
  it('is mailed once for an event that is delivered twice, with a Message-ID from the event', async () => {
    const id = newId();
    await budget('user', id);
    await handled(1);
    await budget('user', id);
    await budget('user');
    await handled(3);
    expect(rig.subjects()).toEqual(['Your budget is reached', 'Your budget is reached']);
    expect(new Set(rig.messageIds()).size).toBe(2);
  });
  it('is mailed when a budget is nearly reached, and again when it is reached', async () => {
    await budget('user', newId(), 'budget-nearly-reached');
    await handled(1);
    await budget('user');
    await handled(2);
    expect(rig.subjects()).toEqual(['Most of your budget is spent', 'Your budget is reached']);
  });
  it("is not mailed for another user's budget, or after a takeover", async () => {
    await budget('group');
    await budget('group', newId(), 'budget-nearly-reached');
    const taken = { user_id: userId, because: 'address_proved_by_another' };
    await rig.identity.hear('parlance.identity.password-changed.v1', `user-${userId}`, taken);
    await budget('user');
    await handled(1);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(rig.subjects()).toEqual(['Your budget is reached']);
  });
  it('is not mailed for an old event', async () => {
    rig.identity.later(NEWS_DAYS * 86_400_000 + 60_000);
    await budget('user');
    await handled(1);
    expect(rig.server.received).toEqual([]);
  });
});
