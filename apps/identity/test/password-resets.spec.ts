import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type EventStore, newId } from '@parlance/event-store';
import { RESET_GAP_MILLIS, RESET_VALID_MILLIS } from '../src/domain/mail/reset-requests.ts';
import { Mails } from '../src/workflows/mail/mails.ts';
import { PasswordResets } from '../src/workflows/mail/password-resets.ts';
import { adminEmail, type IdentityUnderTest, identityUnderTest, password } from './people.ts';
import { serve } from './smtp-servers.ts';

const newPassword = 'another horse battery';
let identity: IdentityUnderTest;
let server: Awaited<ReturnType<typeof serve>>;
let rounds: { mails: Mails; resets: PasswordResets };

async function start(settings: Readonly<Record<string, string>>) {
  // This spec starts the rounds itself.
  identity = await identityUnderTest(settings, { schedule: [] });
  rounds = { mails: identity.app.get(Mails), resets: identity.app.get(PasswordResets) };
}

beforeEach(async () => {
  server = await serve();
  await start({ PARLANCE_SMTP_URL: server.url, PARLANCE_MAIL_FROM: 'no-reply@example.org' });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await identity.stop();
});

const round = async () => {
  await rounds.resets.settleRequests();
  await rounds.mails.sendDue();
};
const post = (path: string, body: object, headers: Record<string, string> = {}) => identity.ask('post', path, null, body, headers);
const request = (email: string, headers: Record<string, string> = {}) => post('/auth/password-reset/request', { email }, headers);
const tokens = () =>
  server.received.map((text) => /reset#([\w.-]{70})/.exec(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1] as string);
const reset = async (token: string, chosen = newPassword) =>
  (await post('/auth/password-reset', { reset_token: token, new_password: chosen })).status;
const signIn = async (email: string, chosen: string) => (await post('/auth/sign-in', { email, password: chosen })).status;

const member = async (email: string): Promise<{ userId: string }> => {
  const body = { email, password, first_name: 'A', last_name: 'B', groups: [] };
  return { userId: (await identity.ask('post', '/admin/users', identity.admin, body)).body.user_id };
};

describe('a password reset by mail', () => {
  it('is sent in the next round, however many requests of strangers precede it', async () => {
    for (let index = 0; index < 45; index++) await request(`stranger-${index}@example.org`);
    await request(adminEmail);
    await round();
    expect(server.recipients).toEqual([[adminEmail]]);
  });
  it('sends a link that sets a password once, even if it is used many times concurrently', async () => {
    expect((await request(adminEmail.toUpperCase())).status).toBe(202);
    await round();
    expect(server.recipients).toEqual([[adminEmail]]);
    const [token] = tokens();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((each) => reset(token!, `${newPassword} ${each}`)));
    expect(answers.toSorted()).toEqual([204, 400, 400, 400]);
    const chosen = ['a', 'b', 'c', 'd'][answers.indexOf(204)]!;
    expect(await signIn(adminEmail, `${newPassword} ${chosen}`)).toBe(200);
    expect(await signIn(adminEmail, password)).toBe(401);
  });
  it('is not possible with a link that is older than an hour', async () => {
    await request(adminEmail);
    await round();
    identity.later(RESET_VALID_MILLIS);
    expect(await reset(tokens()[0]!)).toBe(400);
  });
  it('does not make a used link valid again if the process ended before the request was settled', async () => {
    await request(adminEmail);
    const resets = rounds.resets as unknown as { commands: { execute(command: object): Promise<unknown> } };
    const { execute } = resets.commands;
    const cut = jest.spyOn(resets.commands, 'execute').mockImplementation(function (this: unknown, command: object) {
      if ((command as { command: { type: string } }).command.type === 'Settle') throw new Error('the process ends here');
      return execute.call(this, command);
    });
    await expect(rounds.resets.settleRequests()).rejects.toMatchObject({ errors: [new Error('the process ends here')] });
    cut.mockRestore();
    await rounds.mails.sendDue();
    expect(await reset(tokens()[0]!)).toBe(204);
    await round();
    expect(await reset(tokens()[0]!, 'a third horse battery')).toBe(400);
    expect(tokens().filter((token) => token !== undefined)).toHaveLength(1);
  });
  it('is not possible with a link that was sent before the user was disabled', async () => {
    const { userId } = await member('ann@example.org');
    await request('ann@example.org');
    await round();
    for (const enabled of [false, true]) await identity.ask('patch', `/admin/users/${userId}`, identity.admin, { enabled });
    expect(await reset(tokens()[0]!)).toBe(400);
  });
  it('does not invalidate a token of an administrator, which lasts longer', async () => {
    const { userId } = await member('bob@example.org');
    const { reset_token } = (await identity.ask('post', `/admin/users/${userId}/password-reset`, identity.admin)).body;
    await request('bob@example.org');
    await round();
    expect([server.received, await reset(reset_token)]).toEqual([[], 204]);
  });
  it('continues with other users if one cannot be read, and ends that request when it has expired', async () => {
    const { userId } = await member('cat@example.org');
    await request('cat@example.org');
    await request(adminEmail);
    const resets = rounds.resets as unknown as { streams: { load(decider: unknown, stream: string): Promise<unknown> } };
    const { load } = resets.streams;
    jest.spyOn(resets.streams, 'load').mockImplementation(async function (this: unknown, decider, stream) {
      if (stream.includes(userId)) throw new Error('an event of a newer release');
      return load.call(this, decider, stream);
    });
    await expect(rounds.resets.settleRequests()).rejects.toThrow('1 requests for password resets could not be settled');
    await rounds.mails.sendDue();
    expect(server.recipients).toEqual([[adminEmail]]);
    identity.later(RESET_VALID_MILLIS);
    await rounds.resets.settleRequests();
    jest.restoreAllMocks();
    await rounds.resets.settleRequests();
    expect(server.recipients).toEqual([[adminEmail]]);
  });
  it('sends one mail to an address in five minutes', async () => {
    for (let index = 0; index < 3; index++) {
      expect((await request(adminEmail)).status).toBe(202);
      await round();
    }
    expect(server.received).toHaveLength(1);
    identity.later(RESET_GAP_MILLIS);
    await request(adminEmail);
    await round();
    expect(server.received).toHaveLength(2);
    // The later link invalidates the earlier one.
    expect([await reset(tokens()[0]!), await reset(tokens()[1]!)]).toEqual([400, 204]);
  });
  it('gives an address without a user the same answer, with the same appends, and sends nothing', async () => {
    const append = jest.spyOn((rounds.resets as unknown as { streams: { store: EventStore } }).streams.store, 'append');
    const load = jest.spyOn((rounds.resets as unknown as { streams: { store: EventStore } }).streams.store, 'read');
    const seen = [];
    for (const email of [adminEmail, 'nobody@example.org']) {
      append.mockClear();
      load.mockClear();
      const { status, text, headers } = await request(email);
      seen.push({ status, text, type: headers['content-type'], appends: append.mock.calls.length, reads: load.mock.calls.length });
    }
    expect(seen[0]).toMatchObject({ status: 202, text: '', appends: 1 });
    expect(seen[1]).toEqual(seen[0]);
    await round();
    await round();
    expect(server.recipients).toEqual([[adminEmail]]);
  });
  it('sends nothing to a service account and a disabled user', async () => {
    const resets = rounds.resets as unknown as { mayReset(userId: string, expiresAt: number): Promise<boolean> };
    const may = jest.spyOn(resets, 'mayReset');
    const account = { name: 'Robot', group: 'Robots' };
    await identity.ask('post', '/admin/groups', identity.admin, { name: 'Robots' });
    const made = await identity.ask('post', '/admin/service-accounts', identity.admin, account, { nid: '01K0000000000000000000000A' });
    expect(made.status).toBe(201);
    const ann = { email: 'ann@example.org', password, first_name: 'Ann', last_name: 'Archer' };
    const annId = (await post('/auth/sign-up', ann)).body.user_id;
    await identity.ask('patch', `/admin/users/${annId}`, identity.admin, { enabled: false });
    for (const email of ['service-account-01k0000000000000000000000a@parlance.invalid', ann.email])
      expect((await request(email)).status).toBe(202);
    await round();
    expect(server.received).toEqual([]);
    for (const answer of may.mock.results) expect(await answer.value).toBe(false);
    expect(may).toHaveBeenCalledWith(annId, expect.any(Number));
  });
  it('answers a retry with the same mail', async () => {
    const nid = newId();
    await request(adminEmail, { nid });
    await round();
    identity.later(RESET_GAP_MILLIS);
    expect((await request(adminEmail, { nid })).status).toBe(202);
    await round();
    expect(server.received).toHaveLength(1);
  });
  it('is reported as available', async () => {
    expect((await identity.ask('get', '/auth/options', null)).body).toMatchObject({ password_reset_by_mail: true });
  });
});

describe('without a mail server', () => {
  it('is refused, and reported as not available', async () => {
    await identity.stop();
    await start({});
    const { status, body } = await request(adminEmail);
    expect([status, body.code]).toEqual([403, 'mail_disabled']);
    expect((await identity.ask('get', '/auth/options', null)).body).toMatchObject({ password_reset_by_mail: false });
  });
});
