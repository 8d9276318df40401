import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Parlance, SecondFactorRequired, type Tokens } from '../src/index.ts';
import { json, problem, type ScriptedServer, scriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
let kept: (Tokens | null)[];
const user = { user_id: 'u' };
beforeEach(async () => {
  server = await scriptedServer();
  kept = [];
});
afterEach(() => server.stop());

/** Accepts only the newest access token: `a1`, then `a2` after the first refresh. */
const serving = (expiresIn: number) => {
  let refreshes = 0;
  server.script = ({ path, headers }, answer) => {
    const tokens = (n: number) => ({ access_token: `a${n}`, refresh_token: `r${n}`, expires_in: expiresIn, user });
    if (path === '/auth/sign-in') json(answer, 200, tokens(1));
    else if (path === '/auth/refresh') setTimeout(() => json(answer, 200, tokens(1 + ++refreshes)), 20);
    else if (headers.authorization === `Bearer a${1 + refreshes}`) json(answer, 200, user);
    else problem(answer, 401, 'invalid_token');
  };
};
const requestsTo = (path: string) => server.received.filter((each) => each.path === path);
const clientOf = (more = {}) => new Parlance({ baseUrl: server.url, onTokens: (tokens) => kept.push(tokens), ...more });

it('refreshes a token that is about to expire, once for all waiting requests', async () => {
  serving(10);
  const client = clientOf();
  await client.signIn('a@example.org', 'secret');
  // The token expires within the margin.
  const all = await Promise.all(Array.from({ length: 10 }, () => client.me()));
  expect(all).toEqual(all.map(() => user));
  expect(requestsTo('/auth/refresh').map(({ body }) => JSON.parse(body))).toEqual([{ refresh_token: 'r1' }]);
  expect(kept.map((tokens) => tokens?.accessToken)).toEqual(['a1', 'a2']);
});
it('refreshes a token that the server no longer accepts, and repeats the request', async () => {
  serving(1_800);
  const client = clientOf({ tokens: { accessToken: 'old', refreshToken: 'r0', expiresAt: Date.now() + 1_000_000 } });
  server.received.length = 0;
  const first = server.script;
  let refreshed = false;
  server.script = (request, answer, requestNumber) => {
    if (request.path === '/auth/refresh') refreshed = true;
    if (request.path === '/user/me' && !refreshed) problem(answer, 401, 'invalid_token');
    else first(request, answer, requestNumber);
  };
  expect(await Promise.all([client.me(), client.me()])).toEqual([user, user]);
  expect(requestsTo('/auth/refresh')).toHaveLength(1);
});
it('repeats a request only once: a second 401 is an error', async () => {
  serving(1_800);
  const client = clientOf();
  await client.signIn('a@example.org', 'secret');
  const first = server.script;
  server.script = (request, answer, requestNumber) =>
    request.path === '/user/me' ? problem(answer, 401, 'invalid_token') : first(request, answer, requestNumber);
  await expect(client.me()).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
  expect([requestsTo('/user/me').length, requestsTo('/auth/refresh').length]).toEqual([2, 1]);
});
it('sends a wrong second factor only once, because each attempt is counted', async () => {
  serving(1_800);
  const client = clientOf();
  await client.signIn('a@example.org', 'secret');
  const first = server.script;
  server.script = (request, answer, requestNumber) =>
    request.path === '/user/me' ? problem(answer, 401, 'wrong_second_factor') : first(request, answer, requestNumber);
  await expect(client.me()).rejects.toMatchObject({ status: 401, code: 'wrong_second_factor' });
  expect([requestsTo('/user/me').length, requestsTo('/auth/refresh').length]).toEqual([1, 0]);
});
it('forgets a session that has ended', async () => {
  server.script = (_, answer) => problem(answer, 401, 'invalid_refresh_token');
  const client = clientOf({ tokens: { accessToken: 'a', refreshToken: 'r', expiresAt: 0 } });
  await expect(client.me()).rejects.toMatchObject({ code: 'invalid_refresh_token' });
  expect([client.session.isSignedIn, kept]).toEqual([false, [null]]);
  await expect(client.me()).rejects.toMatchObject({ code: 'signed_out', status: 0 });
  expect(server.received).toHaveLength(1);
});
it('keeps a session that could not be refreshed during an outage', async () => {
  server.script = (_, answer) => problem(answer, 503, 'service_unavailable', { 'retry-after': '60' });
  const client = clientOf({ tokens: { accessToken: 'a', refreshToken: 'r', expiresAt: 0 } });
  await expect(client.me()).rejects.toMatchObject({ status: 503 });
  expect(client.session.isSignedIn).toBe(true);
});
it('leaves the refresh token in a cookie, if configured', async () => {
  server.script = ({ path }, answer) => json(answer, 200, path === '/user/me' ? user : { access_token: 'a', expires_in: 1_800, user });
  const client = clientOf({ useCookie: true });
  expect(await client.me()).toEqual(user);
  expect(requestsTo('/auth/refresh').map(({ headers, body }) => [headers['x-parlance-session'], body])).toEqual([['cookie', '']]);
});
it('continues with new tokens after a change of password, and reports when a change is due', async () => {
  server.script = ({ path, headers }, answer) => {
    if (path === '/auth/sign-in')
      json(answer, 200, { access_token: 'a1', refresh_token: 'r1', expires_in: 60, user, password_change_required: true });
    else if (headers.authorization === 'Bearer a2') json(answer, 200, user);
    else if (path === '/auth/password')
      json(answer, 200, { access_token: 'a2', refresh_token: 'r2', expires_in: 60, user, password_change_required: false });
    else problem(answer, 401, 'invalid_token');
  };
  const client = clientOf();
  await client.signIn('a@example.org', 'temporary');
  expect(client.session.mustChangePassword).toBe(true);
  await client.session.changePassword('temporary', 'chosen by the user');
  expect(client.session.mustChangePassword).toBe(false);
  expect(requestsTo('/auth/password').map(({ headers, body }) => [headers.authorization, JSON.parse(body)])).toEqual([
    ['Bearer a1', { current_password: 'temporary', new_password: 'chosen by the user' }],
  ]);
  expect(await client.me()).toEqual(user);
  expect(requestsTo('/auth/refresh')).toEqual([]);
});
it('sends operations that need no session without one', async () => {
  server.script = ({ headers }, answer) => json(answer, 200, { sign_up_enabled: headers.authorization === undefined });
  expect(await clientOf().open.get('/auth/options')).toEqual({ sign_up_enabled: true });
  expect(server.received).toHaveLength(1);
});
it('does not continue as another user whose cookie the browser has', async () => {
  serving(10);
  const client = clientOf();
  await client.signIn('a@example.org', 'secret');
  const first = server.script;
  server.script = (request, answer, requestNumber) =>
    request.path === '/auth/refresh'
      ? json(answer, 200, { access_token: 'a2', refresh_token: 'r2', expires_in: 1_800, user: { user_id: 'other' } })
      : first(request, answer, requestNumber);
  await expect(client.me()).rejects.toMatchObject({ code: 'signed_out' });
  expect(requestsTo('/user/me')).toEqual([]);
  expect(client.session.isSignedIn).toBe(false);
});
it('continues only as the same user if there is a new cookie after its session was refused', async () => {
  let [current, isRefused] = ['ann', false];
  server.script = ({ path }, answer) =>
    isRefused && path === '/auth/refresh'
      ? problem(answer, 401, 'invalid_refresh_token')
      : json(answer, 200, { access_token: 'a', expires_in: 10, user: { user_id: current } });
  const client = clientOf({ useCookie: true });
  await client.session.refresh();
  isRefused = true;
  await expect(client.me()).rejects.toMatchObject({ code: 'invalid_refresh_token' });
  [isRefused, current] = [false, 'ben'];
  await expect(client.me()).rejects.toMatchObject({ code: 'signed_out' });
  expect(requestsTo('/user/me')).toEqual([]);
  current = 'ann';
  await client.me();
  expect(client.session.isSignedIn).toBe(true);
});
it.each([400, 401])('forgets a session whose cookie is refused with %d', async (status) => {
  server.script = (_, answer) => problem(answer, status, 'invalid_refresh_token');
  const client = clientOf({ useCookie: true });
  await expect(client.session.refresh()).rejects.toMatchObject({ status });
  expect(kept).toEqual([null]);
});
it('does not refresh again for a request that was refused with an older token', async () => {
  serving(1_800);
  const client = clientOf({ tokens: { accessToken: 'old', refreshToken: 'r0', expiresAt: Date.now() + 1_000_000 } });
  const first = server.script;
  let first401: ServerResponse | undefined;
  const arrived = new Promise<void>((resolve) => {
    server.script = (request, answer, requestNumber) => {
      if (request.headers.authorization !== 'Bearer old') return first(request, answer, requestNumber);
      if (requestNumber > 1) return problem(answer, 401, 'invalid_token');
      first401 = answer;
      resolve();
    };
  });
  const late = client.me();
  await arrived;
  await client.me();
  problem(first401!, 401, 'invalid_token');
  expect(await late).toEqual(user);
  expect(requestsTo('/auth/refresh')).toHaveLength(1);
});
it('continues as another user only after a sign-in, not because of a new cookie of the browser', async () => {
  let current = 'ann';
  server.script = ({ path }, answer) =>
    path === '/auth/sign-out'
      ? answer.writeHead(204).end()
      : json(answer, 200, { access_token: 'a', expires_in: 1_800, user: { user_id: current } });
  const client = clientOf({ useCookie: true });
  await client.session.refresh();
  await client.signOut();
  current = 'ben';
  await expect(client.me()).rejects.toMatchObject({ code: 'signed_out' });
  expect([requestsTo('/user/me'), client.session.isSignedIn]).toEqual([[], false]);
  await client.signIn('ben@example.org', 'secret');
  expect([client.session.isSignedIn, client.session.userId]).toEqual([true, 'ben']);
});
it('names the cookie in each request that reads or changes it', async () => {
  server.script = ({ path }, answer) =>
    path === '/auth/sign-out' ? answer.writeHead(204).end() : json(answer, 200, { access_token: 'a', expires_in: 1_800, user });
  const client = clientOf({ useCookie: true });
  await client.signIn('a@example.org', 'secret');
  await client.session.changePassword('secret', 'another secret');
  await client.session.refresh();
  await client.signOut();
  expect(server.received.map(({ path, headers }) => [path, headers['x-parlance-session']])).toEqual(
    ['sign-in', 'password', 'refresh', 'sign-out'].map((name) => [`/auth/${name}`, 'cookie']),
  );
});
it('can be signed out even if its token has expired and cannot be refreshed', async () => {
  server.script = (_, answer) => problem(answer, 401, 'invalid_refresh_token');
  const client = clientOf({ tokens: { accessToken: 'a', refreshToken: 'r', expiresAt: 0 } });
  await client.signOut();
  expect(client.session.isSignedIn).toBe(false);
  expect(server.received.map(({ path }) => path)).toEqual(['/auth/refresh']);
});
it('can be signed out even if the server has already ended the session', async () => {
  serving(1_800);
  const client = clientOf();
  await client.signIn('a@example.org', 'secret');
  const first = server.script;
  server.script = (request, answer, requestNumber) =>
    request.path === '/auth/sign-out' ? problem(answer, 401, 'invalid_token') : first(request, answer, requestNumber);
  await client.signOut();
  expect(client.session.isSignedIn).toBe(false);
  expect(kept.at(-1)).toBeNull();
});
it('signs in with a second factor after the password, and starts no session before', async () => {
  const methods = ['totp', 'recovery_code'];
  server.script = ({ path, body }, answer) => {
    if (path === '/auth/sign-in') json(answer, 200, { second_factor_required: true, challenge_token: 'c1', methods });
    else if (JSON.parse(body).code === '111111') problem(answer, 401, 'wrong_second_factor');
    else json(answer, 200, { access_token: 'a', expires_in: 1_800, user });
  };
  const client = clientOf({ useCookie: true });
  const required = await client.signIn('a@example.org', 'secret').catch((error: unknown) => error);
  expect(required).toBeInstanceOf(SecondFactorRequired);
  expect(required).toMatchObject({ code: 'second_factor_required', status: 0, challengeToken: 'c1', methods });
  expect([client.session.isSignedIn, kept]).toEqual([false, []]);
  await expect(client.secondFactor('c1', { code: '111111' })).rejects.toMatchObject({ code: 'wrong_second_factor' });
  expect(await client.secondFactor('c1', { recovery_code: 'abcd-efgh' })).toEqual(user);
  expect([client.session.isSignedIn, kept.length]).toEqual([true, 1]);
  expect(requestsTo('/auth/second-factor').map(({ headers, body }) => [headers['x-parlance-session'], JSON.parse(body)])).toEqual([
    ['cookie', { challenge_token: 'c1', code: '111111' }],
    ['cookie', { challenge_token: 'c1', recovery_code: 'abcd-efgh' }],
  ]);
});
it('signs in with only a passkey, and keeps the refresh token in a cookie if configured', async () => {
  server.script = (_, answer) => json(answer, 200, { access_token: 'a', expires_in: 1_800, user });
  const client = clientOf({ useCookie: true });
  const passkey = { id: 'i', rawId: 'i', type: 'public-key', response: { authenticatorData: 'd', clientDataJSON: 'c', signature: 's' } };
  expect(await client.signInByPasskey('c1', passkey)).toEqual(user);
  expect([client.session.isSignedIn, client.session.userId, kept.length]).toEqual([true, 'u', 1]);
  expect(server.received.map(({ path, headers, body }) => [path, headers['x-parlance-session'], JSON.parse(body)])).toEqual([
    ['/auth/passkeys', 'cookie', { challenge_token: 'c1', passkey }],
  ]);
});
it('reports a missing second factor until a refresh returns full tokens', async () => {
  server.script = ({ path }, answer) =>
    json(answer, 200, {
      access_token: 'a',
      refresh_token: 'r',
      expires_in: 1_800,
      user,
      ...(path === '/auth/sign-in' && { second_factor_missing: true }),
    });
  const client = clientOf();
  await client.signIn('a@example.org', 'secret');
  expect(client.session.lacksSecondFactor).toBe(true);
  await client.session.refresh();
  expect(client.session.lacksSecondFactor).toBe(false);
});
it.each([true, false])('asks once for a fresh second factor if a request needs one; proved: %p', async (isProved) => {
  let asks = 0;
  server.script = ({ path }, answer, requestNumber) => {
    if (path === '/user/me/step-up') answer.writeHead(204).end();
    else if (requestNumber === 1 || !isProved) problem(answer, 403, 'step_up_required');
    else json(answer, 200, user);
  };
  const client = clientOf({
    accessToken: 'a',
    stepUp: async () => {
      asks++;
      return isProved;
    },
  });
  const answer = client.api.delete('/admin/users/{userId}', { path: { userId: 'u' } });
  if (isProved) expect(await answer).toEqual(user);
  else await expect(answer).rejects.toMatchObject({ code: 'step_up_required' });
  expect([asks, server.received.length]).toEqual([1, isProved ? 2 : 1]);
});
it('does not ask twice for a fresh second factor', async () => {
  server.script = (_, answer) => problem(answer, 403, 'step_up_required');
  const client = clientOf({ accessToken: 'a', stepUp: async () => true });
  await expect(client.me()).rejects.toMatchObject({ code: 'step_up_required' });
  expect(server.received).toHaveLength(2);
});
