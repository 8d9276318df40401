import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Parlance, type Tokens } from '../src/index.ts';
import { json, problem, type ScriptedServer, scriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
let kept: (Tokens | null)[];
const user = { user_id: 'u' };
beforeEach(async () => {
  server = await scriptedServer();
  kept = [];
});
afterEach(() => server.stop());

/** Takes the newest access token alone: `a1`, then `a2` after the first refresh. */
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
const asked = (path: string) => server.received.filter((each) => each.path === path);
const clientOf = (more = {}) => new Parlance({ baseUrl: server.url, onTokens: (tokens) => kept.push(tokens), ...more });

it('refreshes a token that is about to expire once, for all requests that wait', async () => {
  serving(10);
  const client = clientOf();
  await client.signIn('a@example.org', 'secret');
  // Expires within the margin.
  const all = await Promise.all(Array.from({ length: 10 }, () => client.me()));
  expect(all).toEqual(all.map(() => user));
  expect(asked('/auth/refresh').map(({ body }) => JSON.parse(body))).toEqual([{ refresh_token: 'r1' }]);
  expect(kept.map((tokens) => tokens?.accessToken)).toEqual(['a1', 'a2']);
});
it('refreshes a token that the server takes no longer, and asks again', async () => {
  serving(1_800);
  const client = clientOf({ tokens: { accessToken: 'old', refreshToken: 'r0', expiresAt: Date.now() + 1_000_000 } });
  server.received.length = 0;
  const first = server.script;
  let refreshed = false;
  server.script = (request, answer, nth) => {
    if (request.path === '/auth/refresh') refreshed = true;
    if (request.path === '/user/me' && !refreshed) problem(answer, 401, 'invalid_token');
    else first(request, answer, nth);
  };
  expect(await Promise.all([client.me(), client.me()])).toEqual([user, user]);
  expect(asked('/auth/refresh')).toHaveLength(1);
});
it('asks once more only: a second 401 is an error', async () => {
  serving(1_800);
  const client = clientOf();
  await client.signIn('a@example.org', 'secret');
  const first = server.script;
  server.script = (request, answer, nth) =>
    request.path === '/user/me' ? problem(answer, 401, 'invalid_token') : first(request, answer, nth);
  await expect(client.me()).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
  expect([asked('/user/me').length, asked('/auth/refresh').length]).toEqual([2, 1]);
});
it('forgets a session that has ended', async () => {
  server.script = (_, answer) => problem(answer, 401, 'invalid_refresh_token');
  const client = clientOf({ tokens: { accessToken: 'a', refreshToken: 'r', expiresAt: 0 } });
  await expect(client.me()).rejects.toMatchObject({ code: 'invalid_refresh_token' });
  expect([client.session.isSignedIn, kept]).toEqual([false, [null]]);
  await expect(client.me()).rejects.toMatchObject({ code: 'signed_out', status: 0 });
  expect(server.received).toHaveLength(1);
});
it('keeps a session that an outage did not let it refresh', async () => {
  server.script = (_, answer) => problem(answer, 503, 'service_unavailable', { 'retry-after': '60' });
  const client = clientOf({ tokens: { accessToken: 'a', refreshToken: 'r', expiresAt: 0 } });
  await expect(client.me()).rejects.toMatchObject({ status: 503 });
  expect(client.session.isSignedIn).toBe(true);
});
it('leaves the refresh token in a cookie, if asked', async () => {
  server.script = ({ path }, answer) => json(answer, 200, path === '/user/me' ? user : { access_token: 'a', expires_in: 1_800, user });
  const client = clientOf({ useCookie: true });
  expect(await client.me()).toEqual(user);
  expect(asked('/auth/refresh').map(({ headers, body }) => [headers['x-parlance-session'], body])).toEqual([['cookie', '']]);
});
