import { afterAll, describe, expect, it } from '@jest/globals';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { generateSync } from 'otplib';
import { adminEmail, type Asking, claimsOf, identityUnderTest, password } from '../people.ts';

const heard: CloudEvent[] = [];
const identity = await identityUnderTest();
await identity.host.broker.subscribe({
  group: 'listener',
  topics: ['parlance.identity'],
  handle: async (deliveries) => void heard.push(...deliveries.map(({ event }) => event)),
});
const signedIn = await identity.ask('post', '/auth/sign-in', null, { email: adminEmail, password });
let who: Asking = { ...identity.admin, sessionId: claimsOf(signedIn.body.access_token).sid };
afterAll(() => identity?.stop());

/** The codes and actions of the refusals in the audit log. */
const refusals = () =>
  heard
    .filter(({ type }) => type.endsWith('action-refused.v1'))
    .map(({ actor, data }) => ({ actor, ...(data as { code: string; action: string }) }));
const guesses = async (count: number, guess: () => PromiseLike<{ body: { code?: string } }>) => {
  const codes: (string | undefined)[] = [];
  for (let tries = 0; tries < count; tries++) codes.push((await guess()).body.code);
  return codes;
};

describe('after ten wrong guesses', () => {
  it.each<[string, string, number, () => PromiseLike<{ body: { code?: string } }>]>([
    ['passwords', 'add_second_factor', 1, () => identity.ask('post', '/user/me/factors/totp', who, { current_password: 'wrong password' })],
    ['second factors', 'step_up', 30, () => identity.ask('post', '/user/me/step-up', who, { recovery_code: 'wrong' })],
  ])('of %s, the refusal of the next one is audited, a few times a minute', async (_, action, more, guess) => {
    if (action === 'step_up') await addFactor();
    const codes = await guesses(10 + more, guess);
    expect(codes.slice(0, 10)).not.toContain('too_many_attempts');
    expect(new Set(codes.slice(10))).toEqual(new Set(['too_many_attempts']));
    const audited = () => refusals().filter((refusal) => refusal.code === 'too_many_attempts' && refusal.action === action);
    await waitFor(() => audited().length > 0);
    expect(audited()[0]?.actor).toContain(who.userId);
    expect(audited().length).toBeLessThanOrEqual(6);
  });
  it('each earlier wrong second factor was audited too', async () => {
    await waitFor(() => heard.filter(({ type }) => type.endsWith('second-factor-failed.v1')).length === 10);
  });
});

/** Adds a factor for another user, because the first one has to wait. */
async function addFactor(): Promise<void> {
  const { body: other } = await identity.ask('post', '/admin/users', identity.admin, {
    email: 'ann@example.org',
    password,
    first_name: 'P',
    last_name: 'Q',
  });
  const { body } = await identity.ask('post', '/auth/sign-in', null, { email: 'ann@example.org', password });
  who = { userId: other.user_id, sessionId: claimsOf(body.access_token).sid };
  const { body: offer } = await identity.ask('post', '/user/me/factors/totp', who, { current_password: password });
  const code = generateSync({ secret: offer.secret, epoch: Math.floor(Date.now() / 1000) });
  expect((await identity.ask('post', '/user/me/factors/totp/confirm', who, { code })).status).toBe(200);
}
