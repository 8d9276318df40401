import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedProduct } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

/** The callers of each route, decided by hand. A route that is only in the document, or only in this table, is a mistake. */
const decided = JSON.parse(readFileSync(new URL('./access.json', import.meta.url), 'utf8')) as Readonly<Record<string, string>>;

/** The scope that a personal access token needs for each route of users, decided by hand; `none` if the route does not accept tokens. */
const scopes = JSON.parse(readFileSync(new URL('./token-scopes.json', import.meta.url), 'utf8')) as Readonly<Record<string, string>>;

const roles = {
  nobody: null,
  'signed in': [],
  CreatingBotAllowed: ['CreatingBotAllowed'],
  PublishAllowed: ['PublishAllowed'],
  Admin: ['Admin'],
} as const;
type Role = keyof typeof roles;

interface Operation {
  readonly security: readonly object[];
  readonly 'x-needs-group'?: string;
  readonly 'x-token-scope'?: string;
  readonly 'x-audited'?: object;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly example?: unknown }[];
}

const password = 'correct horse battery';
const { url } = await sharedProduct(environment);

describe('every route, for every role', () => {
  let operations: { readonly route: string; readonly method: string; readonly path: string; readonly operation: Operation }[];
  const tokens = new Map<Role, string | null>();

  const call = async (method: string, path: string, token: string | null, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    // A stream of events does not end.
    if (isStream) await answer.body?.cancel();
    const text = isStream ? '' : await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : null };
  };
  const signIn = async (email: string, secret = password) =>
    (await call('POST', '/auth/sign-in', null, { email, password: secret })).body.access_token as string;

  beforeAll(async () => {
    const root = await signIn(admin.email, admin.password);
    for (const [role, groups] of Object.entries(roles) as [Role, readonly string[] | null][]) {
      if (groups === null) tokens.set(role, null);
      else {
        const email = `access-${role.toLowerCase().replaceAll(' ', '-')}@example.org`;
        await call('POST', '/admin/users', root, { email, first_name: 'A', last_name: 'B', groups, password });
        tokens.set(role, await signIn(email));
      }
    }
    const { body } = await call('GET', '/openapi.json', null);
    operations = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      })),
    );
  });

  it('has the callers that the document states', () => {
    const stated = operations.map(({ route, operation }) => [route, whoMay(operation)]);
    expect(Object.fromEntries(stated.sort())).toEqual(Object.fromEntries(Object.entries(decided).sort()));
  });

  it('is in the audit log, if it shows administrators data about other users', () => {
    const unaudited = operations.filter(
      ({ method, operation }) => method === 'GET' && operation['x-needs-group'] === 'Admin' && !operation['x-audited'],
    );
    expect(unaudited.map(({ path }) => path).sort()).toEqual([
      // Options of pickers, and facts about the installation.
      '/admin/groups',
      '/admin/guardrails',
      '/admin/health',
      '/admin/health/dead-letters',
      '/admin/models',
      '/admin/providers',
      '/admin/providers/{providerId}',
      '/admin/retention',
      '/admin/routes',
      '/admin/routes/{routeId}',
    ]);
  });

  it('has the scope that the document states, if it is for users', () => {
    const stated = operations
      .filter(({ operation }) => operation.security.some((each) => Object.hasOwn(each, 'bearer')))
      .map(({ route, operation }) => [route, operation['x-token-scope']]);
    expect(Object.fromEntries(stated.sort())).toEqual(Object.fromEntries(Object.entries(scopes).sort()));
  });

  it('accepts only personal access tokens with its scope', async () => {
    const allScopes = [...new Set(Object.values(scopes))].filter((scope) => scope !== 'none');
    const make = async (granted: readonly string[]) =>
      (await call('POST', '/user/me/tokens', tokens.get('Admin') ?? null, { description: 'x', scopes: granted })).body.token as string;
    const every = await make(allScopes);
    const others = new Map<string, string>();
    for (const scope of allScopes) others.set(scope, await make(allScopes.filter((other) => other !== scope)));
    const wrong: string[] = [];
    for (const { route, method, path, operation } of operations) {
      const scope = scopes[route];
      if (scope === undefined) continue;
      const filled = filledIn(path, operation);
      const missing = await call(method, filled, others.get(scope) ?? every);
      const expected = scope === 'none' ? 'token_not_allowed' : 'scope_missing';
      // Calls of models are refused in the form of OpenAI or Anthropic.
      const code = missing.body?.error?.code ?? missing.body?.code;
      if (missing.status !== 403 || code !== expected) wrong.push(`${route} without ${scope}: ${missing.status} ${code}`);
      // Changes are tested with a session in another test. The product checks their scopes in the same way.
      if (scope === 'none' || method !== 'GET') continue;
      const { status, body } = await call(method, filled, every);
      if (status === 401 || status >= 500 || ['scope_missing', 'group_required', 'token_not_allowed'].includes(body?.code))
        wrong.push(`${route} with ${scope}: ${status} ${body?.code}`);
    }
    expect(wrong).toEqual([]);
  });

  it('accepts only the callers in the table', async () => {
    const wrong: string[] = [];
    // Sign-out is last, because it ends sessions that the other requests need.
    const inOrder = operations.toSorted((a, b) => Number(a.path === '/auth/sign-out') - Number(b.path === '/auth/sign-out'));
    for (const { route, method, path, operation } of inOrder) {
      const filled = filledIn(path, operation);
      for (const role of Object.keys(roles) as Role[]) {
        const { status, body } = await call(method, filled, tokens.get(role) ?? null);
        const result = status === 401 ? 'sign in first' : body?.code === 'group_required' ? 'not for this group' : 'open';
        const expected = expectedFor(decided[route] ?? '', role);
        if (result !== expected) wrong.push(`${route} for ${role}: ${result} (${status})`);
        if (status >= 500) wrong.push(`${route} for ${role}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Routes with their own credentials must refuse the access tokens of all users. */
const ownCredentials: Readonly<Record<string, string>> = { scim: 'a SCIM token', apiKey: 'an API key' };

const filledIn = (path: string, operation: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(operation.parameters?.find((each) => each.in === 'path' && each.name === name)?.example ?? 'x')),
  );

function whoMay({ security, 'x-needs-group': group }: Operation): string {
  // One of the alternatives needs no credential.
  if (security.some((each) => Object.keys(each).length === 0)) return 'anyone';
  const [scheme] = security.flatMap((each) => Object.keys(each));
  if (scheme === undefined) return 'anyone';
  return ownCredentials[scheme] ?? group ?? 'signed in';
}

function expectedFor(needs: string, role: Role): string {
  // No bot is published at the address of the example, and the edge reports that before it checks a key.
  if (needs === 'anyone' || needs === 'an API key') return 'open';
  if (role === 'nobody' || Object.values(ownCredentials).includes(needs)) return 'sign in first';
  const implied = role === 'Admin' && ['CreatingBotAllowed', 'PublishAllowed'].includes(needs);
  return needs === 'signed in' || needs === role || implied ? 'open' : 'not for this group';
}
