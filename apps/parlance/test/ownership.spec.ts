import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { sharedProduct } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

/**
 * Every route with an id in its path or its body, and the status that each caller gets for a resource of the owner: another user with
 * all rights but Admin, a member of the owner's group, an Admin, and the owner. An erased user gets 401 everywhere.
 */
const decided = JSON.parse(readFileSync(new URL('./ownership.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Partial<Record<Role, number>> & { readonly body?: object; readonly query?: string; readonly "nobody's"?: string }>
>;

const roles = ['another', 'member', 'admin', 'owner'] as const;
type Role = (typeof roles)[number];

const password = 'correct horse battery';
const note = { message: { content: [{ content_type: 'attachment', file_name: 'note.txt', body: btoa('Mine.') }] } };
const text = (body: string) => ({ message: { content: [{ content_type: 'text', body }] } });

const { url } = await sharedProduct(environment);
let users = 0;

async function call(method: string, path: string, token: string | null, body?: object) {
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const content = await answer.text();
  return { status: answer.status, body: content.startsWith('{') ? JSON.parse(content) : null };
}

interface User {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  /** The session of the token. */
  readonly session: string;
}

async function signIn(email: string): Promise<string> {
  return (await call('POST', '/auth/sign-in', null, { email, password })).body.access_token as string;
}

async function user(...groups: string[]): Promise<User> {
  const email = `ownership-${++users}@example.org`;
  const created = await call('POST', '/admin/users', root, { email, first_name: 'A', last_name: 'B', groups, password });
  const token = await signIn(email);
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sid: string };
  return { id: created.body.user_id as string, email, token, session: sid };
}

let restatement: string | undefined;

/** Creates the resource of the owner that a route needs. */
const factories: Readonly<Record<string, (owner: User) => Promise<string>>> = {
  botId: async ({ token }) => (await call('POST', '/bot', token, { title: 'Mine' })).body.id,
  userId: async () => (await user('CreatingBotAllowed')).id,
  sessionId: async ({ email }) => JSON.parse(Buffer.from((await signIn(email)).split('.')[1]!, 'base64url').toString()).sid,
  name: async () => (await call('POST', '/admin/groups', root, { name: `ownership-${++users}` })).body.name,
  tokenId: async () => (await call('POST', '/admin/scim-tokens', root, { description: 'For a test' })).body.token_id,
  group: async () => 'PublishAllowed',
  // Only one export at a time may be written.
  exportId: async ({ token }) =>
    (await call('POST', '/user/me/export', token)).body.export_id ?? (await call('GET', '/user/me/export', token)).body.export_id,
  version: async () => '1',
  // Without credentials it is not called.
  providerId: async () => (await call('POST', '/admin/providers', root, { id: `ownership-${++users}`, type: 'openai' })).body.id,
  routeId: async () =>
    (await call('POST', '/admin/routes', root, { id: `ownership-${++users}`, targets: [{ model: 'local-extractive' }] })).body.id,
  // A built-in model can only be changed in the configuration: an Admin gets 409.
  modelId: async () => 'local-extractive',
  model: async () => 'local-extractive',
  // An hour before all conversations. It has no export, so administrators get 404 too.
  hour: async () => '2000010100',
  budgetId: async ({ id }) =>
    (await call('PUT', '/admin/budgets', root, { scope: 'user', scope_id: id, period: 'DAY', limit: 1, mode: 'soft' })).body.id,
  holdId: async () =>
    (await call('POST', '/admin/holds', root, { user_id: (await user('CreatingBotAllowed')).id, reason: 'Case 7' })).body.id,
  // The rule is disabled, so it deletes nothing.
  ruleId: async () => (await call('POST', '/admin/retention', root, { inactive_days: 3_650, applies_to: 'all', enabled: false })).body.id,
  webhookId: async () =>
    (await call('POST', '/admin/webhooks', root, { url: 'https://hooks.example.org/parlance', enabled: false })).body.id,
  // A delivery that does not exist: an administrator gets 404 too.
  deliveryId: async () => '01K0000000000000000000000A',
  // All requests share one restatement: restatements run one after the other, and none is removed.
  restatementId: async () =>
    (restatement ??= (await call('POST', '/admin/costs/restate', root, { from: '2026-01-01T00:00:00Z', dry_run: true })).body.id),
  // There is no suspicious charge with this ID: an administrator gets 404.
  chargeId: async () => '01K0000000000000000000000A',
  // A call that the reply has not made: its owner gets 404 too.
  callId: async () => '01K0000000000000000000000C',
  // There are no invitations without a mail server: an Admin gets 404.
  invitationId: async () => '01K0000000000000000000000A',
  // There is no second factor with this ID: the caller gets 404 too.
  factorId: async () => '01K0000000000000000000000D',
  // The bot has no picture: its owner gets 404 too.
  pictureId: async () => '01K0000000000000000000000A',
  conversationId: async ({ token }) => (await finished(token)).conversation_id,
  promptId: async ({ token }) =>
    (await call('POST', '/prompts', token, { title: 'Mine', command: `mine-${++users}`, text: 'Hello.' })).body.id,
  projectId: async ({ token }) => (await call('POST', '/projects', token, { title: 'Mine' })).body.project_id,
  memoryId: async ({ token }) => (await call('POST', '/user/me/memories', token, { text: 'Works in Lisbon.' })).body.memory_id,
  // Only tokens for models reach stored responses: the owner's session gets 403 too.
  responseId: async () => 'resp_01K0000000000000000000000A',
  // Only tokens may read batches, so that everybody gets 403.
  batchId: async () => 'batch_01K0000000000000000000000A',
  // A document that the conversation does not cite: its owner gets 404 too.
  sourceId: async () => '01K0000000000000000000000A',
};
const sameThing: Readonly<Record<string, string>> = { bot_id: 'botId', user_id: 'userId' };

/** Starts a conversation and waits for its first reply. */
async function finished(token: string, sent: object = text('Hello.')): Promise<{ conversation_id: string; message_id: string }> {
  const { body } = await call('POST', '/conversation', token, sent);
  for (;;) {
    const { status } = await call('GET', `/conversation/${body.conversation_id}/${body.message_id}`, token);
    if (status === 200) return body;
    if (status !== 202) throw new Error(`the reply was answered with ${status}`);
  }
}

/** Publishes a bot and creates an API key for it. */
async function published({ token }: User): Promise<{ botId: string; keyId: string }> {
  const botId = (await call('POST', '/bot', token, { title: 'Mine' })).body.id as string;
  const path = `/bot/${botId}/publication`;
  await call('PATCH', `/bot/${botId}/visibility`, token, { target_shared_scope: 'all' });
  const { status } = await call('POST', path, token, { allowed_origins: ['*'] });
  if (status !== 202) throw new Error(`publishing was answered with ${status}`);
  for (;;) {
    const { body } = await call('GET', path, token);
    if (body.codebuild_status === 'SUCCEEDED') break;
    if (body.codebuild_status !== 'IN_PROGRESS') throw new Error(`the deployment ended as ${body.codebuild_status}`);
  }
  return { botId, keyId: (await call('POST', `${path}/api-key`, token, { description: 'Shop' })).body.id };
}

/** Shares a conversation of the owner with a file, and returns the token of the link. */
async function shared({ token }: User): Promise<{ conversationId: string; shareId: string; token: string }> {
  const { conversation_id } = await finished(token, note);
  const terms = { audience: 'signed_in', include_attachments: true };
  const { body } = await call('POST', `/conversation/${conversation_id}/shares`, token, terms);
  return { conversationId: conversation_id, shareId: body.share_id, token: new URL(body.url).pathname.split('/').at(-1)! };
}

async function filled(template: string, owner: User): Promise<string> {
  let path = template;
  if (path.includes('{shareId}') || path.includes('/shared/')) {
    const { conversationId, shareId, token } = await shared(owner);
    path = path.replace('{conversationId}', conversationId).replace('{shareId}', shareId).replace('{token}', token);
    path = path.replace('{fileId}', '0.0.0');
  }
  if (path.includes('{fileId}')) {
    const { conversation_id, message_id: replyId } = await finished(owner.token, note);
    const { parent } = (await call('GET', `/conversation/${conversation_id}/${replyId}`, owner.token)).body.message;
    path = path.replace('{conversationId}', conversation_id).replace('{messageId}', parent).replace('{fileId}', `${parent}.0`);
  }
  if (path.includes('{messageId}')) {
    const { conversation_id, message_id } = await finished(owner.token);
    path = path.replace('{conversationId}', conversation_id).replace('{messageId}', message_id);
  }
  if (path.includes('/publication')) {
    const { botId, keyId } = await published(owner);
    path = path.replace('{botId}', botId).replace('{keyId}', keyId);
  }
  // The tokens of these routes are not SCIM tokens.
  if (path.includes('/service-accounts/{id}')) {
    const { body: account } = await call('POST', '/admin/service-accounts', root, { name: 'Importer', group: 'team' });
    const { body } = await call('POST', `/admin/service-accounts/${account.id}/tokens`, root, { description: 'CI', scopes: ['models'] });
    path = path.replace('{id}', account.id).replace('{tokenId}', body.token_id);
  }
  if (path.includes('/user/me/tokens') || path.includes('/admin/tokens')) {
    const { body } = await call('POST', '/user/me/tokens', owner.token, { description: 'Mine', scopes: ['models'] });
    path = path.replace('{tokenId}', body.token_id);
  }
  for (const [placeholder, name] of path.matchAll(/\{(\w+)\}/g)) {
    const make = factories[sameThing[name!] ?? name!];
    if (!make) throw new Error(`nothing here makes a ${name}`);
    path = path.replace(placeholder, await make(owner));
  }
  return path;
}

const root = (await call('POST', '/auth/sign-in', null, admin)).body.access_token;

it('has a line for every route with an id in its path', async () => {
  const { body } = await call('GET', '/openapi.json', null);
  const routes = Object.entries(body.paths as Record<string, object>)
    .filter(([path]) => path.includes('{'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  expect(
    Object.keys(decided)
      .filter((route) => !route.includes(','))
      .sort(),
  ).toEqual(routes.sort());
});

it('gives each caller what the table says', async () => {
  await call('POST', '/admin/groups', root, { name: 'team' });
  const rights = ['CreatingBotAllowed', 'PublishAllowed'];
  const owner = await user(...rights, 'team');
  const callers: Record<Role, User> = {
    another: await user(...rights),
    member: await user(...rights, 'team'),
    admin: await user('Admin'),
    owner,
  };
  const erased = await user(...rights, 'team');
  await call('DELETE', `/admin/users/${erased.id}`, root);

  const wrong: string[] = [];
  for (const [route, row] of Object.entries(decided)) {
    if (row["nobody's"] !== undefined) continue;
    const [method, path] = route.split(',')[0]!.split(' ') as [string, string];
    let request: { readonly path: string; readonly body?: object } | undefined;
    const ask = async (token: string) => {
      request ??= JSON.parse(await filled(JSON.stringify({ path: `${path}${row.query ?? ''}`, body: row.body }), owner)) as typeof request;
      const { status } = await call(method, request!.path, token, request!.body);
      // A refused request has changed nothing, so the next caller can use the same resource.
      if (method !== 'GET' && status < 400) request = undefined;
      return status;
    };
    for (const role of roles) {
      const status = await ask(callers[role].token);
      if (status !== row[role]) wrong.push(`${route}: ${role} got ${status}, not ${row[role]}`);
    }
    const status = await ask(erased.token);
    if (status !== 401) wrong.push(`${route}: erased got ${status}, not 401`);
  }
  expect(wrong).toEqual([]);
});
