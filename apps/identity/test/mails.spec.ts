import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Smtp } from '../src/adapters/mail/smtp.ts';
import { ExecuteOutgoingMail } from '../src/commands/aggregates.ts';
import { MAIL_LEASE_MILLIS, MOST_MAIL_TRIES } from '../src/domain/mail/outgoing-mail.ts';
import { Mails } from '../src/workflows/mail/mails.ts';
import { type IdentityUnderTest, identityUnderTest, password } from './people.ts';
import { serve } from './smtp-servers.ts';

const HOUR_MILLIS = 3_600_000;
let identity: IdentityUnderTest;
let mails: Mails;
let server: Awaited<ReturnType<typeof serve>>;
/** The server's next answers to a recipient; null accepts the recipient. */
const answers: (number | null)[] = [];
let elapsed = 0;

beforeEach(async () => {
  elapsed = 0;
  server = await serve({
    onRcptTo(_, __, done) {
      const code = answers.shift() ?? null;
      done(code === null ? null : Object.assign(new Error('No'), { responseCode: code }));
    },
  });
  // This spec starts the rounds itself.
  const settings = { PARLANCE_SMTP_URL: server.url, PARLANCE_MAIL_FROM: 'Parlance <no-reply@example.org>' };
  identity = await identityUnderTest(settings, { schedule: [] });
  mails = identity.app.get(Mails);
});
afterEach(async () => {
  answers.splice(0);
  jest.restoreAllMocks();
  await identity.stop();
});

const later = (millis: number) => {
  elapsed += millis;
  identity.later(millis);
};
const commands = () => (mails as unknown as { commands: CommandBus }).commands;
const now = () => Instant.ofMillis(Date.now() + elapsed);

async function request(userId: string, validMillis: number | null = null) {
  const mailId = newId();
  const expiresAt = validMillis === null ? null : Instant.plus(now(), validMillis);
  await commands().execute(new ExecuteOutgoingMail(mailId, { type: 'Request', kind: 'password_reset', userId, expiresAt, now: now() }));
  return mailId;
}
const status = async (mailId: string) =>
  (await commands().execute(new ExecuteOutgoingMail(mailId, { type: 'Conclude', tryId: '', outcome: 'refused', now: now() }))).state.status;
const signUp = async (email: string): Promise<string> =>
  (await identity.ask('post', '/auth/sign-up', null, { email, password, first_name: 'Ann', last_name: 'Archer' })).body.user_id;
/** Creates a user as an administrator, so the address is verified. */
const made = async (email: string): Promise<string> =>
  (await identity.ask('post', '/admin/users', identity.admin, { email, password, first_name: 'Ann', last_name: 'Archer', groups: [] })).body
    .user_id;
const messageIds = () => server.received.map((text) => /^Message-ID: (.*)\r$/im.exec(text)?.[1]);

describe('a mail that is due', () => {
  it('is sent in the same round as many mails before it', async () => {
    const userId = await made('ann@example.org');
    for (let index = 0; index < 25; index++) await request(userId);
    await mails.sendDue();
    expect(server.received).toHaveLength(25);
  });
  it('contains no name while the address is not verified, because a stranger may have chosen the name', async () => {
    await request(await signUp('ann@example.org'));
    await mails.sendDue();
    expect(server.received[0]).toContain('Hello,');
    expect(server.received[0]).not.toContain('Hello Ann');
  });
  it('is sent once to the address of its user, with the name and the link', async () => {
    const userId = await made('ann@example.org');
    const mailId = await request(userId);
    // Two replicas send due mails at the same time.
    await Promise.all([mails.sendDue(), mails.sendDue()]);
    expect(server.recipients).toEqual([['ann@example.org']]);
    const text = server.received[0]!.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(text).toContain('Hello Ann,');
    expect(text).toContain(`/app/reset#${userId}.`);
    expect(await status(mailId)).toBe('sent');
    await mails.sendDue();
    expect(server.received).toHaveLength(1);
  });
  it('is sent again with the same Message-ID if the process ended before it was recorded', async () => {
    const mailId = await request(await signUp('ann@example.org'));
    const send = Smtp.prototype.send;
    jest.spyOn(Smtp.prototype, 'send').mockImplementationOnce(async function (this: Smtp, mail) {
      await send.call(this, mail);
      throw new Error('the process ends here');
    });
    await expect(mails.sendDue()).rejects.toMatchObject({ errors: [new Error('the process ends here')] });
    await mails.sendDue();
    expect(server.received).toHaveLength(1);
    later(MAIL_LEASE_MILLIS);
    await mails.sendDue();
    expect(await status(mailId)).toBe('sent');
    const [first, second] = messageIds();
    expect(second).toBe(first);
    expect(first).toMatch(/@example\.org>$/);
  });
  it('is tried later after 4xx, and fails after the last try', async () => {
    const mailId = await request(await signUp('ann@example.org'));
    answers.push(...Array.from({ length: MOST_MAIL_TRIES }, () => 451));
    await mails.sendDue();
    await mails.sendDue();
    expect(answers).toHaveLength(MOST_MAIL_TRIES - 1);
    for (let index = 1; index < MOST_MAIL_TRIES; index++) {
      later(6 * HOUR_MILLIS);
      await mails.sendDue();
    }
    expect([answers, await status(mailId), server.received]).toEqual([[], 'failed', []]);
  });
  it('fails after 5xx, and when its link has expired', async () => {
    const userId = await signUp('ann@example.org');
    const refused = await request(userId);
    answers.push(550);
    await mails.sendDue();
    const expired = await request(userId, HOUR_MILLIS);
    later(HOUR_MILLIS);
    await mails.sendDue();
    expect([await status(refused), await status(expired), server.received]).toEqual(['failed', 'failed', []]);
  });
});

describe('a mail without a recipient', () => {
  it('is not sent to a user who was erased, disabled or is unknown', async () => {
    const [erased, disabled] = [await signUp('ann@example.org'), await signUp('bob@example.org')];
    const ids = [await request(erased), await request(disabled), await request(newId())];
    expect((await identity.ask('delete', `/admin/users/${erased}`, identity.admin)).status).toBe(200);
    expect((await identity.ask('patch', `/admin/users/${disabled}`, identity.admin, { enabled: false })).status).toBe(200);
    expect(await status(ids[0]!)).toBe('failed');
    await mails.sendDue();
    expect(await Promise.all(ids.map(status))).toEqual(['failed', 'failed', 'failed']);
    expect(server.received).toEqual([]);
  });
});
