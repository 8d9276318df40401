import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { identityUnderTest, type IdentityUnderTest, password } from './people.ts';

describe('the IP address and user agent of a caller', () => {
  let world: IdentityUnderTest;
  let userId: string;
  let refreshToken: string;
  const email = 'dora@example.org';
  /** The metadata of all commits, and those that contain the origin of a caller in plain text. */
  const metadata = () => {
    const db = new DatabaseSync(join(world.host.config.dataDir, 'identity.db'), { readOnly: true });
    const rows = db.prepare('SELECT stream, metadata FROM commits').all() as { stream: string; metadata: string }[];
    db.close();
    return rows;
  };
  const inTheClear = () => metadata().filter((row) => /203\.0\.113\.9|test\/1/.test(row.metadata));
  const sessions = async () => (await world.ask('get', '/auth/sessions', { userId, sessionId: 's' })).body.sessions;

  beforeAll(async () => {
    world = await identityUnderTest();
    const signUp = { email, password, first_name: 'Dora', last_name: 'D' };
    userId = (await world.ask('post', '/auth/sign-up', null, signUp)).body.user_id;
    await world.ask('post', '/auth/sign-in', null, { email, password: 'wrong horse battery' });
    refreshToken = (await world.ask('post', '/auth/sign-in', null, { email, password })).body.refresh_token;
    await world.ask('post', '/auth/refresh', null, { refresh_token: refreshToken });
  });
  afterAll(() => world.stop());

  it('is never in plain text in an event: signing up, signing in, failing to, refreshing, administering', async () => {
    const made = await world.ask('post', '/admin/groups', world.admin, { name: 'Sealed' });
    expect(made.status).toBe(201);
    expect(metadata().some(({ stream }) => stream.startsWith('session-'))).toBe(true);
    expect(inTheClear()).toEqual([]);
    expect(metadata().some((row) => row.metadata.includes('"ip":"s1.'))).toBe(true);
  });
  it('is shown to the user', async () => {
    expect(await sessions()).toEqual([expect.objectContaining({ ip_address: '203.0.113.9', user_agent: 'test/1' })]);
  });
  it('stays in plain text for an unknown caller', async () => {
    await world.ask('post', '/auth/sign-in', null, { email: 'stranger@example.org', password });
    expect(inTheClear().length).toBeGreaterThan(0);
  });
  it('is recorded for an invalid refresh token', async () => {
    expect((await world.ask('post', '/auth/refresh', null, { refresh_token: 'made-up' })).status).toBe(401);
    expect((await world.ask('get', '/scim/v2/Users', null, undefined, { authorization: 'Bearer scim_made_up' })).status).toBe(401);
    // The edge sends this request before it reads the body of a SCIM request.
    const pending = request(world.server).post('/internal/credentials/scim').set(world.asService('edge'));
    expect((await pending.send({ authorization: 'Bearer scim_made_up' })).status).toBe(401);
    const db = new DatabaseSync(join(world.host.config.dataDir, 'identity.db'), { readOnly: true });
    const rows = db.prepare("SELECT events FROM commits WHERE stream LIKE 'refusal-%' ORDER BY position").all() as { events: string }[];
    db.close();
    const actions = rows.map(({ events }) => (JSON.parse(events) as { event: { action: string; code: string } }[])[0]!.event);
    expect(actions.map(({ action, code }) => [action, code])).toEqual([
      ['refresh_session', 'invalid_refresh_token'],
      ['use_scim_token', 'invalid_scim_token'],
      ['use_scim_token', 'invalid_scim_token'],
    ]);
  });
});
