import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { ACCEPTANCE_MILLIS, INVITATION_VALID_MILLIS } from '../src/domain/mail/invitations.ts';
import { Invitations } from '../src/workflows/mail/invitations.ts';
import { identityWithMail } from './mail-rig.ts';
import { adminEmail, identityUnderTest, password } from './people.ts';

/** An address for each test. */
let ann: string;
let tests = 0;

const rig = await identityWithMail();
const invitations = rig.identity.app.get(Invitations);
beforeEach(() => {
  ann = `ann-${++tests}@example.org`;
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const { invitation_id } of (await list()).invitations) await revoke(invitation_id);
  await rig.mails.sendDue();
  for (const each of [rig.server.received, rig.server.recipients]) each.length = 0;
});
afterAll(() => rig.identity.stop());

const invite = (body: object, headers: Record<string, string> = {}) =>
  rig.identity.ask('post', '/admin/invitations', rig.identity.admin, body, headers);
const invited = async (body: object = { email: ann }, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await invite(body, headers);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  await rig.mails.sendDue();
  return answer.body.invitation_id;
};
const revoke = (invitationId: string) => rig.identity.ask('delete', `/admin/invitations/${invitationId}`, rig.identity.admin);
const token = () => rig.tokens('invitation').at(-1)!;
const accept = (linkToken: string, chosen = password, headers: Record<string, string> = {}) =>
  rig.identity.ask(
    'post',
    '/auth/invitations/accept',
    null,
    { token: linkToken, password: chosen, first_name: 'Ann', last_name: 'Archer' },
    headers,
  );
const list = async (query = '') => (await rig.identity.ask('get', `/admin/invitations${query}`, rig.identity.admin)).body;
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const open = () => (invitations as unknown as { vault: { open(text: string): Promise<string | null> } }).vault;
const rowOf = async (invitationId: string) => {
  const found = jest.spyOn(invitations, 'opened');
  await list();
  const row = found.mock.calls.map(([each]) => each).find(({ invitation_id }) => invitation_id === invitationId)!;
  found.mockRestore();
  return row;
};

describe('an invitation', () => {
  it('is sent to the address, without names, and one of many uses of its link creates a user with a verified address', async () => {
    await rig.identity.ask('post', '/admin/groups', rig.identity.admin, { name: 'Marketing' });
    const invitationId = await invited({ email: ann, first_name: 'Stranger', groups: ['Marketing', 'PublishAllowed'] });
    expect(rig.server.recipients).toEqual([[ann]]);
    expect(rig.server.received[0]).not.toContain('Stranger');
    expect((await list()).invitations).toMatchObject([
      { invitation_id: invitationId, email: ann, first_name: 'Stranger', last_name: null },
    ]);
    const answers = await Promise.all(['a', 'b', 'c'].map((each) => accept(token(), `${password} ${each}`)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)[0]).toBe(201);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const winner = answers.findIndex(({ status }) => status === 201);
    expect(answers[winner]!.body).toMatchObject({ email: ann, email_verified: true, groups: ['Marketing', 'PublishAllowed'] });
    const chosen = `${password} ${['a', 'b', 'c'][winner]}`;
    expect((await rig.identity.ask('post', '/auth/sign-in', null, { email: ann, password: chosen })).status).toBe(200);
    expect(outcome(await accept(token()))).toEqual([400, 'invalid_invitation']);
    expect((await list()).invitations).toEqual([]);
  });
  it('shows its address and names to the person who has its token, as long as it is open', async () => {
    const read = (its: string) => rig.identity.ask('post', '/auth/invitations/read', null, { token: its });
    const invitationId = await invited({ email: ann, first_name: 'Ann' });
    const [shown] = (await list()).invitations;
    const its = { email: ann, first_name: 'Ann', last_name: null, expires_at: shown.expires_at };
    for (const time of ['first', 'second']) expect([time, (await read(token())).body]).toEqual([time, its]);
    for (const other of ['', `${token()}x`, token().replace(/.$/, (last) => (last === '0' ? '1' : '0'))])
      expect(outcome(await read(other))).toEqual([400, 'invalid_invitation']);
    await revoke(invitationId);
    expect(outcome(await read(token()))).toEqual([400, 'invalid_invitation']);
  });
  it('is refused for the address of a user, for an unknown group, and to users who are no Admin', async () => {
    expect(outcome(await invite({ email: adminEmail.toUpperCase() }))).toEqual([409, 'email_taken']);
    expect(outcome(await invite({ email: ann, groups: ['Nobody'] }))).toEqual([400, 'group_unknown']);
    const member = { userId: newId(), groups: ['CreatingBotAllowed'] };
    expect((await rig.identity.ask('post', '/admin/invitations', member, { email: ann })).status).toBe(403);
  });
  it('to Admin is refused to a personal access token', async () => {
    const asking = { ...rig.identity.admin, tokenId: newId() };
    const answer = await rig.identity.ask('post', '/admin/invitations', asking, { email: ann, groups: ['Admin'] });
    expect(outcome(answer)).toEqual([403, 'token_not_allowed']);
  });
  it('replaces the earlier one of the address', async () => {
    await invited();
    const first = token();
    const second = await invited({ email: ann.toUpperCase() });
    expect((await list()).invitations).toMatchObject([{ invitation_id: second }]);
    expect(outcome(await accept(first))).toEqual([400, 'invalid_invitation']);
    expect((await accept(token())).status).toBe(201);
  });
  it('is sent once for a retry of the request', async () => {
    const nid = newId();
    expect(await invited({ email: ann }, { nid })).toBe(await invited({ email: ann }, { nid }));
    expect(rig.server.received).toHaveLength(1);
  });
  it('that was revoked is not accepted, not sent, and cannot be read again', async () => {
    const { body } = await invite({ email: ann });
    const row = await rowOf(body.invitation_id);
    expect(await open().open(row.email)).toBe(ann);
    expect((await revoke(body.invitation_id)).status).toBe(204);
    expect(outcome(await revoke(body.invitation_id))).toEqual([404, 'invitation_not_found']);
    await rig.mails.sendDue();
    expect([rig.server.received, await open().open(row.email)]).toEqual([[], null]);
  });
  it('ends after seven days, and cannot be read again', async () => {
    const invitationId = await invited();
    const row = await rowOf(invitationId);
    rig.identity.later(INVITATION_VALID_MILLIS);
    expect(outcome(await accept(token()))).toEqual([400, 'invalid_invitation']);
    await invitations.endExpired();
    expect([(await list()).invitations, await open().open(row.email)]).toEqual([[], null]);
  });
  it('ends after seven days even if another invitation fails to end, which is reported', async () => {
    for (const each of ['a', 'b', 'c']) await invite({ email: `${each}@example.org` });
    rig.identity.later(INVITATION_VALID_MILLIS);
    const cut = jest
      .spyOn(invitations as unknown as { execute(): Promise<unknown> }, 'execute')
      .mockRejectedValueOnce(new Error('a fault'));
    await expect(invitations.endExpired()).rejects.toThrow('1 expired invitations could not be ended: ');
    cut.mockRestore();
    expect((await list()).invitations).toHaveLength(1);
    await invitations.endExpired();
    expect((await list()).invitations).toEqual([]);
  });
  it('ends with the erasure of the user who has signed up with its address', async () => {
    const row = await rowOf(await invited());
    const person = { email: ann, password, first_name: 'Ann', last_name: 'Archer' };
    const { user_id } = (await rig.identity.ask('post', '/auth/sign-up', null, person)).body;
    expect(outcome(await accept(token()))).toEqual([409, 'email_taken']);
    await rig.identity.ask('delete', `/admin/users/${user_id}`, rig.identity.admin);
    expect([(await list()).invitations, await open().open(row.email)]).toEqual([[], null]);
    expect(outcome(await accept(token()))).toEqual([400, 'invalid_invitation']);
  });
  it('creates its user at the next use of the link if the process ended before that', async () => {
    await invited();
    const registration = (invitations as unknown as { registration: { register(): Promise<boolean> } }).registration;
    const cut = jest.spyOn(registration, 'register').mockRejectedValueOnce(new Error('the process ends here'));
    expect((await accept(token())).status).toBe(503);
    cut.mockRestore();
    expect((await accept(token())).status).toBe(201);
  });
  it('gives a repeated request its user if the process ended before the answer, but no other request', async () => {
    await invited();
    const [userId, other] = [newId(), newId()];
    const acceptance = { token: token(), password, firstName: 'Ann', lastName: 'Archer' };
    const repeat = (id: string, linkToken = acceptance.token) => invitations.accept(id, { ...acceptance, token: linkToken });
    await repeat(userId);
    await expect(repeat(userId)).resolves.toBeUndefined();
    await expect(repeat(other)).rejects.toMatchObject({ code: 'invalid_invitation' });
    await expect(repeat(userId, `${acceptance.token.slice(0, -1)}-`)).rejects.toMatchObject({ code: 'invalid_invitation' });
  });
  it('whose acceptance was interrupted is listed, and can be revoked after ten minutes', async () => {
    const invitationId = await invited();
    const registration = (invitations as unknown as { registration: { register(): Promise<boolean> } }).registration;
    jest.spyOn(registration, 'register').mockRejectedValueOnce(new Error('the process ends here'));
    expect((await accept(token())).status).toBe(503);
    expect((await list()).invitations).toMatchObject([{ invitation_id: invitationId }]);
    expect(outcome(await revoke(invitationId))).toEqual([409, 'invitation_being_accepted']);
    rig.identity.later(ACCEPTANCE_MILLIS);
    expect((await revoke(invitationId)).status).toBe(204);
    expect(outcome(await accept(token()))).toEqual([400, 'invalid_invitation']);
    expect((await list()).invitations).toEqual([]);
  });
  it('stays as it was if the server is too busy for the password', async () => {
    const invitationId = await invited();
    const registration = (invitations as unknown as { registration: { passwordHash(): Promise<string> } }).registration;
    const busy = jest.spyOn(registration, 'passwordHash').mockRejectedValueOnce(refuse('unavailable', 'busy', 'Try again.'));
    expect(outcome(await accept(token()))).toEqual([503, 'busy']);
    busy.mockRestore();
    expect((await list()).invitations).toMatchObject([{ invitation_id: invitationId }]);
    expect((await revoke(invitationId)).status).toBe(204);
  });
  it('gives no membership of a later group with the name of one that was deleted', async () => {
    const create = () => rig.identity.ask('post', '/admin/groups', rig.identity.admin, { name: 'Design' });
    await create();
    await invited({ email: ann, groups: ['Design', 'CreatingBotAllowed'] });
    expect((await rig.identity.ask('delete', '/admin/groups/Design', rig.identity.admin)).status).toBe(204);
    await waitFor(async () => (await create()).status === 201, { what: 'the name to be free' });
    expect((await accept(token())).body.groups).toEqual(['CreatingBotAllowed']);
  });
  it.each([
    [true, []],
    [false, ['Admin']],
  ])('to Admin makes the user an Admin only if its inviter is still one at the acceptance (has left: %s)', async (hasLeft, groups) => {
    const eve = { email: `eve-${hasLeft}@example.org`, password, first_name: 'Eve', last_name: 'Ett', groups: ['Admin'] };
    const { user_id } = (await rig.identity.ask('post', '/admin/users', rig.identity.admin, eve)).body;
    const invitee = { email: ann, groups: ['Admin', 'CreatingBotAllowed'] };
    expect((await rig.identity.ask('post', '/admin/invitations', { userId: user_id, groups: ['Admin'] }, invitee)).status).toBe(201);
    await rig.mails.sendDue();
    const leave = () => rig.identity.ask('delete', `/admin/users/${user_id}/groups/Admin`, rig.identity.admin);
    if (hasLeft) expect((await leave()).status).toBeLessThan(300);
    expect((await accept(token())).body.groups).toEqual([...groups, 'CreatingBotAllowed']);
  });
  it('is refused for more groups than a user may be in', async () => {
    const groups = Array.from({ length: 45 }, (_, index) => `${index} ${'x'.repeat(90)}`);
    for (const name of groups) expect((await rig.identity.ask('post', '/admin/groups', rig.identity.admin, { name })).status).toBe(201);
    expect(outcome(await invite({ email: ann, groups }))).toEqual([409, 'too_many_groups']);
    expect((await list()).invitations).toEqual([]);
  });
  it('keeps the IP address of the accepting computer only under the key of the user', async () => {
    await invited();
    const db = new DatabaseSync(join(rig.identity.host.config.dataDir, 'identity.db'), { readOnly: true });
    const rowsAfter = (position: number) => db.prepare('SELECT * FROM commits WHERE position > ? ORDER BY position').all(position);
    const before = Number(rowsAfter(0).at(-1)!['position']);
    await accept(token());
    const rows = rowsAfter(before).map((row) => JSON.stringify(row));
    db.close();
    const begun = rows.filter((row) => row.includes('AcceptanceBegun'));
    expect(begun).toHaveLength(1);
    expect(begun[0]).not.toContain('203.0.113.9');
  });
  it('is mailed and its key is destroyed by policies if the process ended before that', async () => {
    const request = jest.spyOn(invitations, 'requestMail').mockRejectedValueOnce(new Error('the process ends here'));
    const shred = jest.spyOn(invitations, 'shred').mockRejectedValueOnce(new Error('the process ends here'));
    expect((await invite({ email: ann })).status).toBe(503);
    await waitFor(async () => {
      await rig.mails.sendDue();
      return rig.server.received.length === 1;
    });
    const row = (await list()).invitations[0];
    expect((await revoke(row.invitation_id)).status).toBe(503);
    await waitFor(() => shred.mock.calls.length === 2);
    expect(shred).toHaveBeenLastCalledWith(row.invitation_id);
    expect(request.mock.calls.length).toBeGreaterThan(1);
  });
  it('is listed in pages', async () => {
    const ids = [];
    for (const each of ['a', 'b', 'c']) ids.push((await invite({ email: `${each}@example.org` })).body.invitation_id);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&next_token=${first.next_token}`);
    expect([...first.invitations, ...second.invitations].map(({ invitation_id }) => invitation_id)).toEqual(ids.toSorted());
    expect(second.next_token).toBeNull();
  });
});

it('no invitation is created without a mail server', async () => {
  const identity = await identityUnderTest();
  expect(outcome(await identity.ask('post', '/admin/invitations', identity.admin, { email: ann }))).toEqual([403, 'mail_disabled']);
  await identity.stop();
});
