import { afterAll, describe, expect, it } from '@jest/globals';
import { type Asking, password } from '../people.ts';
import { type Deviation, rpId, SoftwareAuthenticator } from './software-authenticator.ts';
import { deviations, PasskeyWorld } from './passkey-world.ts';

const world = await PasskeyWorld.start();
afterAll(() => world?.identity.stop());

describe('a passkey', () => {
  it('is added as the first factor, with ten recovery codes, and listed by its name', async () => {
    const { codes, ...who } = await world.enrolled();
    expect(new Set(codes).size).toBe(10);
    expect((await world.identity.ask('get', '/user/me/factors', who)).body).toEqual({
      required: false,
      proof_to_add: 'second_factor',
      factors: [{ factor_id: who.factorId, kind: 'passkey', create_time: expect.any(Number), name: 'Laptop', backed_up: true }],
      recovery_codes_left: 10,
    });
  });
  it('is shown to an administrator without its name, with its last use', async () => {
    const who = await world.enrolled();
    const list = async () => (await world.identity.ask('get', `/admin/users/${who.userId}/factors`, world.identity.admin)).body.factors;
    const shown = { kind: 'passkey', create_time: expect.any(Number), last_used_time: null };
    expect(await list()).toEqual([shown]);
    await (await world.secondStep(who)).send();
    expect(await list()).toEqual([{ ...shown, last_used_time: expect.any(Number) }]);
  });
  it('is stored without its name, credential ID and user in plain text', async () => {
    const { authenticator, email } = await world.enrolled();
    const log = world.commits().join();
    expect(log).toContain('PasskeyAdded');
    for (const text of ['Laptop', authenticator.credentialId.toString('base64url'), email]) expect(log).not.toContain(text);
  });
  it('has creation options with the user and the existing passkeys', async () => {
    const who = await world.enrolled();
    const { options } = await world.offer(who);
    expect(options).toMatchObject({
      rp: { id: rpId },
      user: { id: Buffer.from(who.userId).toString('base64url'), name: who.email },
      attestation: 'none',
      excludeCredentials: [{ id: who.authenticator.credentialId.toString('base64url'), transports: ['internal', 'hybrid'] }],
    });
  });
  it('has the same challenge for a repeated request, and another one for the next request', async () => {
    const who = await world.person();
    const nid = '01K00000000000000000000001';
    const first = await world.identity.ask('post', '/user/me/factors/passkeys', who, { current_password: password }, { nid });
    const again = await world.identity.ask('post', '/user/me/factors/passkeys', who, { current_password: password }, { nid });
    const next = await world.identity.ask('post', '/user/me/factors/passkeys', who, { current_password: password });
    expect(again.body).toEqual(first.body);
    expect(next.body.options.challenge).not.toBe(first.body.options.challenge);
  });
  it.each([...deviations, ['another type', { type: 'webauthn.get' }], ['certificates', { attestation: 'certificate' }]] as [
    string,
    Deviation,
  ][])('is not added with %s', async (_, over) => {
    const who = await world.person();
    const { status, body } = await world.confirm(who, new SoftwareAuthenticator().create((await world.offer(who)).options, over));
    expect([status, body.code]).toEqual([400, 'invalid_passkey']);
    expect((await world.identity.ask('get', '/user/me/factors', who)).body.factors).toEqual([]);
  });
  it('is not added under an ID other than the one the authenticator signed', async () => {
    const who = await world.person();
    const made = new SoftwareAuthenticator().create((await world.offer(who)).options);
    const { status, body } = await world.confirm(who, { ...made, id: 'AAAA', rawId: 'AAAA' });
    expect([status, body.code]).toEqual([400, 'invalid_passkey']);
  });
  it('is added with a self attestation, without certificates', async () => {
    const who = await world.person();
    const made = new SoftwareAuthenticator().create((await world.offer(who)).options, { attestation: 'self' });
    expect((await world.confirm(who, made)).status).toBe(200);
  });
  it('is added from a page of a console with another origin', async () => {
    const who = await world.person();
    const made = new SoftwareAuthenticator().create((await world.offer(who)).options, { origin: 'https://console.parlance.example.org' });
    expect((await world.confirm(who, made)).status).toBe(200);
  });
  it('is not added without an offer', async () => {
    const who = await world.person();
    const { options } = await world.offer(await world.person());
    expect((await world.confirm(who, new SoftwareAuthenticator().create(options))).body.code).toBe('passkey_not_offered');
  });
  it('is not added with the offer of another user', async () => {
    const [who, other] = [await world.person(), await world.person()];
    await world.offer(who);
    const { options } = await world.offer(other);
    expect((await world.confirm(who, new SoftwareAuthenticator().create(options))).body.code).toBe('invalid_passkey');
  });
  it('is added once, and a repeated request answers the same without recovery codes', async () => {
    const who = await world.person();
    const made = new SoftwareAuthenticator().create((await world.offer(who)).options);
    const first = (await world.confirm(who, made)).body;
    const again = await world.confirm(who, made);
    expect([again.status, again.body]).toEqual([200, { factor_id: first.factor_id }]);
  });
  it('is not added to two users, even when both add it at the same time', async () => {
    const authenticator = new SoftwareAuthenticator();
    const two = [await world.person(), await world.person()];
    const made = await Promise.all(two.map(async (who) => authenticator.create((await world.offer(who)).options)));
    const answers = await Promise.all(two.map((who, index) => world.confirm(who, made[index]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('passkey_taken');
    const factors = await Promise.all(
      two.map(async (who) => (await world.identity.ask('get', '/user/me/factors', who)).body.factors.length),
    );
    expect(factors.sort()).toEqual([0, 1]);
  });
  it('of another user is refused before anything is written, so that the offer stays open', async () => {
    const [{ authenticator }, who] = [await world.enrolled(), await world.person()];
    const { options } = await world.offer(who);
    expect((await world.confirm(who, authenticator.create(options))).body.code).toBe('passkey_taken');
    expect((await world.confirm(who, new SoftwareAuthenticator().create(options))).status).toBe(200);
  });
  it('needs a fresh second factor for the offer and for adding it, if the user has a factor', async () => {
    const who = await world.enrolled();
    const elsewhere = { ...who, sessionId: 'other' };
    expect((await world.offer(elsewhere)).code).toBe('step_up_required');
    const made = new SoftwareAuthenticator().create((await world.offer(who)).options);
    expect((await world.confirm(elsewhere, made)).body.code).toBe('step_up_required');
    expect((await world.confirm(who, made)).status).toBe(200);
  });
  it('is available to another user after it was removed or reset, or its user was erased', async () => {
    const ways: ((who: Asking, factorId: string) => Promise<{ status: number }>)[] = [
      async (who, factorId) => world.identity.ask('delete', `/user/me/factors/${factorId}`, who),
      async ({ userId }) => world.identity.ask('delete', `/admin/users/${userId}/factors`, world.identity.admin),
      async ({ userId }) => world.identity.ask('delete', `/admin/users/${userId}`, world.identity.admin),
    ];
    for (const lose of ways) {
      const { authenticator, factorId, ...who } = await world.enrolled();
      expect((await lose(who, factorId)).status).toBeLessThan(300);
      const ofClaim = world.commits().filter((commit) => /PasskeyClaimed|PasskeyReleased/.test(commit) && commit.includes(who.userId));
      expect(ofClaim).toEqual([expect.stringContaining('PasskeyClaimed'), expect.stringContaining('PasskeyReleased')]);
      expect((await (await world.alone(authenticator)).send()).body.code).toBe('wrong_passkey');
      const next = await world.person();
      expect((await world.confirm(next, authenticator.create((await world.offer(next)).options))).status).toBe(200);
      expect((await (await world.alone(authenticator)).send()).body.user.email).toBe(next.email);
    }
  });
});

describe('an answer of an authenticator', () => {
  it.each<[string, (made: { response: object }) => object]>([
    ['has no response', ({ response: _, ...rest }) => rest],
    ['has another rawId', (made) => ({ ...made, rawId: 'AAAA' })],
    ['is too long', (made) => ({ ...made, response: { ...made.response, attestationObject: 'A'.repeat(6_001) } })],
    ['is not base64url', (made) => ({ ...made, response: { ...made.response, clientDataJSON: '{}' } })],
    ['has transports that are not a list', (made) => ({ ...made, response: { ...made.response, transports: 'usb' } })],
  ])('is refused if it %s', async (_, change) => {
    const who = await world.person();
    const made = new SoftwareAuthenticator().create((await world.offer(who)).options);
    const { status, body } = await world.confirm(who, change(made));
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'invalid_body', 'credential']);
  });
  it('may have members that a newer browser adds', async () => {
    const who = await world.person();
    const made = new SoftwareAuthenticator().create((await world.offer(who)).options);
    const { status } = await world.confirm(who, { ...made, newer: 1, response: { ...made.response, publicKeyAlgorithm: -7 } });
    expect(status).toBe(200);
  });
});
