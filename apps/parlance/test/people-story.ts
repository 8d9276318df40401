import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Parlance } from '@parlance/client';
import type { Answer, Product } from './story.ts';

/** The running product and its clients, which the chapters of the story share. */
export interface Story {
  readonly product: Product;
  readonly adminToken: string;
  /** A client that sends each request to the next edge, with this token. */
  clientOf(token: string): Parlance;
  /** Sends each request to the next edge. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  until(what: string, question: () => Promise<Answer>, enough: (answer: Answer) => boolean): Promise<Answer>;
}

/** A part of the story. */
export type Chapter = (story: () => Story) => void;

const password = 'correct horse battery';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Sign-up, roles and erasure of users, in every shape of the product. */
export function peopleStory(story: () => Story): void {
  const ask: Story['ask'] = (...request) => story().ask(...request);
  const asAdmin = (method: string, path: string, body?: unknown) => ask(method, path, body, bearer(story().adminToken));
  const signUp = (name: string) =>
    ask(
      'POST',
      '/auth/sign-up',
      { email: `${name}@example.org`, password, first_name: 'Quentin', last_name: 'Zimmerling' },
      { authorization: '' },
    );
  const signIn = async (name: string) =>
    (await ask('POST', '/auth/sign-in', { email: `${name}@example.org`, password }, { authorization: '' })).body as {
      access_token: string;
      refresh_token: string;
      user: { user_id: string };
    };
  /** Sends a request to every edge, one after the other, and one more to the first edge. */
  const everywhere = async (token: string) => {
    const statuses = new Set<number>();
    for (let n = 0; n <= story().product.urls.length; n++) statuses.add((await ask('GET', '/user/me', undefined, bearer(token))).status);
    return [...statuses];
  };

  describe('people', () => {
    it('sign up, and are signed out at every edge before the answer', async () => {
      expect((await signUp('leaving')).status).toBe(201);
      for (let round = 0; round < 5; round++) {
        const { access_token } = await signIn('leaving');
        expect(await everywhere(access_token)).toEqual([200]);
        expect((await ask('POST', '/auth/sign-out', undefined, bearer(access_token))).status).toBe(204);
        expect(await everywhere(access_token)).toEqual([401]);
      }
    });
    it('have no access at any edge after an administrator disables them, and need a new token after they are enabled', async () => {
      await signUp('disabled');
      const { access_token, user } = await signIn('disabled');
      expect(await everywhere(access_token)).toEqual([200]);
      expect((await asAdmin('PATCH', `/admin/users/${user.user_id}`, { enabled: false })).body.enabled).toBe(false);
      expect(await everywhere(access_token)).toEqual([401]);
      await asAdmin('PATCH', `/admin/users/${user.user_id}`, { enabled: true });
      expect(await everywhere(access_token)).toEqual([401]);
      expect(await everywhere((await signIn('disabled')).access_token)).toEqual([200]);
    });
    it('are created once, even if the same request is repeated', async () => {
      const body = { email: 'once@example.org', first_name: 'A', last_name: 'B' };
      const key = { 'idempotency-key': 'make-once', ...bearer(story().adminToken) };
      const [first, second] = [await ask('POST', '/admin/users', body, key), await ask('POST', '/admin/users', body, key)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body.user_id).toBe(first.body.user_id);
      expect(second.body.temporary_password).not.toBe(first.body.temporary_password);
      const another = await ask('POST', '/admin/users', { ...body, email: 'twice@example.org' }, key);
      expect([another.status, another.body.code]).toEqual([409, 'idempotency_key_reused']);
    });
    it('refresh from many tabs at once, by a cookie, and keep their session', async () => {
      await signUp('tabs');
      const inCookie = { 'x-parlance-session': 'cookie', authorization: '' };
      const signedIn = await ask('POST', '/auth/sign-in', { email: 'tabs@example.org', password }, inCookie);
      const pairIn = (answer: Answer) => answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
      expect([signedIn.status, 'refresh_token' in signedIn.body, pairIn(signedIn)]).toEqual([200, false, expect.stringMatching(/=prt_/)]);
      const cookie = { cookie: pairIn(signedIn) };
      const tabs = await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/auth/refresh', undefined, { ...inCookie, ...cookie })));
      expect(tabs.map(({ status }) => status)).toEqual(tabs.map(() => 200));
      expect(new Set(tabs.map(pairIn)).size).toBe(1);
      expect((await ask('POST', '/auth/refresh', undefined, { authorization: '', ...cookie })).status).toBe(400);
      const last = tabs.at(-1)!.body as { access_token: string };
      const out = await ask('POST', '/auth/sign-out', undefined, { ...inCookie, ...bearer(last.access_token) });
      expect([out.status, pairIn(out)]).toEqual([204, 'parlance_refresh=']);
      expect(await everywhere((signedIn.body as { access_token: string }).access_token)).toEqual([401]);
    });
    it('can send and receive camelCase', async () => {
      const { status, body } = await ask(
        'POST',
        '/auth/sign-up',
        { email: 'camel@example.org', password, firstName: 'Ca', lastName: 'Mel' },
        { authorization: '', accept: 'application/json; case=camel' },
      );
      expect([status, body.firstName, body.lastName, body.lastSignInTime]).toEqual([201, 'Ca', 'Mel', null]);
    });
    it('have an audit entry for a refused action', async () => {
      const { access_token, user } = await signIn('disabled');
      expect((await ask('POST', '/admin/groups', { name: 'red' }, bearer(access_token))).body.code).toBe('group_required');
      const { body } = await story().until(
        'the entry of the refusal',
        () => asAdmin('GET', `/admin/audit-logs?user_id=${user.user_id}&success=false`),
        (answer) => answer.body.audit_logs.some((entry: { action_type: string }) => entry.action_type === 'create_group'),
      );
      expect(body.audit_logs[0]).toMatchObject({
        action_type: 'create_group',
        ip_address: '127.0.0.1',
        user_agent: 'story/1',
        details: { code: 'group_required' },
      });
      expect(body.audit_logs[0].error_message).toMatch(/Admin/);
    });
  });

  describe('an erased user', () => {
    const secret = { email: 'vanishing@example.org', first: 'Quentin', last: 'Zimmerling', text: 'My grandmother kept bees in Tarragona' };
    let token: string;
    let userId: string;
    let conversation: { conversation_id: string; message_id: string };
    let before: Answer;

    beforeAll(async () => {
      await signUp('vanishing');
      const { access_token, user } = await signIn('vanishing');
      [token, userId] = [access_token, user.user_id];
      const message = { content: [{ content_type: 'text', body: secret.text }] };
      conversation = (await ask('POST', '/conversation', { message }, bearer(token))).body;
      const path = `/conversation/${conversation.conversation_id}/${conversation.message_id}`;
      await story().until(
        'the reply',
        () => ask('GET', path, undefined, bearer(token)),
        (answer) => answer.status === 200,
      );
      const costs = () => asAdmin('GET', '/admin/costs/summary');
      const isCharged = (answer: Answer) => answer.body.top_users.some((each: { user_id: string }) => each.user_id === userId);
      before = await story().until('the cost', costs, isCharged);
    });

    it('is removed from every service, with a receipt', async () => {
      const { status, body } = await asAdmin('DELETE', `/admin/users/${userId}`);
      expect(status).toBe(200);
      const receipt = Object.fromEntries(body.erased.map((each: { service: string }) => [each.service, each]));
      expect(receipt).toMatchObject({
        identity: { status: 'done', removed: { keys: 1, users: 1, sessions: 1 } },
        inference: { status: 'done', removed: { conversations: 1, messages: 2 } },
        analytics: { status: 'done', removed: { emails: 1 } },
      });
      expect(await everywhere(token)).toEqual([401]);
      expect((await asAdmin('GET', `/admin/users/${userId}`)).status).toBe(404);
      expect((await ask('POST', '/auth/sign-in', { email: secret.email, password }, { authorization: '' })).body.code).toBe(
        'wrong_credentials',
      );
      expect((await asAdmin('GET', '/user/search?prefix=vanishing')).body.users).toEqual([]);
    });
    it('does not change the totals, in which only an id remains', async () => {
      const after = (await asAdmin('GET', '/admin/costs/summary')).body;
      expect([after.total_cost, after.total_input_tokens]).toEqual([before.body.total_cost, before.body.total_input_tokens]);
      const remaining = after.top_users.find((each: { user_id: string }) => each.user_id === userId);
      expect(remaining).toMatchObject({ email: null, conversation_count: 1 });
      const entries = (await asAdmin('GET', `/admin/audit-logs?resource_id=${userId}`)).body.audit_logs;
      expect(entries.map((entry: { action_type: string }) => entry.action_type)).toContain('register_user');
      for (const secretText of Object.values(secret)) expect(JSON.stringify(entries)).not.toContain(secretText);
    });
    it('is in no file of the product, the broker or the database', () => {
      const { keeps } = story().product;
      // This shows that the search works: data of the user are stored under the ID.
      expect(filesWith(keeps, userId)).not.toEqual([]);
      for (const secretText of Object.values(secret)) expect({ [secretText]: filesWith(keeps, secretText) }).toEqual({ [secretText]: [] });
    });
  });
}

function filesWith(directory: string, text: string): string[] {
  const needle = Buffer.from(text);
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(directory, name);
    try {
      return statSync(path).isFile() && readFileSync(path).includes(needle);
    } catch {
      // The file was removed after it was listed.
      return false;
    }
  });
}
