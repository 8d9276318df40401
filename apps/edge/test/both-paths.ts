import { jest } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { waitFor } from '@parlance/testing';
import { FastPath } from '../src/http/routing/fast-path.ts';
import { RefusalAudit } from '../src/http/routing/refusal-audit.ts';
import { bytes } from './raw.ts';
import { answerRevocations } from './revocations.ts';
import { type EdgeUnderTest, edgeWith, statementIn, stub } from './rig.ts';

/** A request as its client writes it. Names of headers may be repeated. */
export interface Written {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export type Tokens = Readonly<Record<'good' | 'otherUser' | 'ended' | 'disabled' | 'mustChangePassword' | 'expired' | 'forged', string>>;

/** Everything that one path did with a request. */
export interface Outcome {
  readonly status: number;
  /** The complete answer, without the IDs and times that differ between any two requests. */
  readonly answer: string;
  /** The requests that reached the services, and the refusals to record. */
  readonly effects: readonly unknown[];
  readonly wasFast: boolean;
}

export interface BothPaths {
  readonly edge: EdgeUnderTest;
  readonly tokens: Tokens;
  /** Sends the same request with the fast path switched off, then on. */
  compare(written: Written): Promise<{ readonly slow: Outcome; readonly fast: Outcome }>;
}

const LAST = 'GET /health/live HTTP/1.1\r\nhost: edge\r\nconnection: close\r\n\r\n';
const settings = {
  PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
  PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES: '127.0.0.0/8,192.0.2.0/24',
  PARLANCE_CONSOLE_ORIGINS: 'https://console.example.org',
  PARLANCE_PUBLISHED_DOMAIN: 'apis.example.org',
};

const query = { name: 'page_size', in: 'query', schema: { type: 'string' } };
const answers = { 200: { content: { 'application/json': { schema: { properties: { made_for: {}, seen: {} } } } } } };
const signedIn = (operationId: string) => ({ operationId, security: [{ bearer: [] }], parameters: [query], responses: answers });
const open = (operationId: string) => ({ ...signedIn(operationId), security: [] });

/** An edge in front of services that echo the requests that reached them. */
export async function bothPaths(overHttp: boolean, more: Readonly<Record<string, string>> = {}): Promise<BothPaths> {
  const effects: unknown[] = [];
  const echo = (request: FastifyRequest) => {
    const { sub, email, groups, sid, kind, ip, ua, nid, call } = statementIn(request);
    const statement = { sub, email, groups, sid, kind, ip, ua, hasNewId: nid !== undefined, call };
    const seen = { method: request.method, url: request.url, headers: headersIn(request), statement, body: request.body };
    effects.push(seen);
    return { made_for: statement.sub, seen };
  };
  const bots = stub('bots', {
    '/bot': { get: signedIn('list'), post: signedIn('create') },
    '/bot/{id}': { get: signedIn('read'), delete: signedIn('remove') },
    '/open': { get: open('open') },
    '/files/{id}': { get: signedIn('file') },
  });
  for (const path of ['/bot', '/bot/:id', '/open', '/files/:id'])
    bots.get(path, (request, reply) => reply.header('etag', '"1"').send(echo(request)));
  bots.post('/bot', echo);
  bots.delete('/bot/:id', (request, reply) => {
    echo(request);
    return reply.code(204).send();
  });
  const identity = stub('identity', { '/auth/sign-out': { post: signedIn('sign_out') }, '/user/me': { get: signedIn('me') } });
  identity.post('/auth/sign-out', echo);
  identity.get('/user/me', echo);
  const revoking = answerRevocations(identity);
  const edge = await edgeWith({ bots, identity }, { overHttp, settings: { ...settings, ...more } });
  const path = edge.app.get(FastPath);
  const recorded = edge.app.get(RefusalAudit);
  jest.spyOn(recorded, 'recordRefusedAddress').mockImplementation(async ({ code }) => void effects.push(['address', code]));
  jest.spyOn(recorded, 'recordRefusedAction').mockImplementation(async (_, error) => void effects.push(['action', String(error)]));

  const send = async (written: Written, isOn: boolean): Promise<Outcome> => {
    effects.length = 0;
    const before = path.forwarded;
    path.isOn = isOn;
    const answer = withoutIds(await bytes(edge.url, textOf(written) + (closes(written) ? '' : LAST)));
    return { status: Number(answer.slice(9, 12)), answer, effects: [...effects], wasFast: path.forwarded > before };
  };
  const bearing = async (claims: object) => (await edge.bearing(claims as Record<string, unknown>))['authorization'] as string;
  const seconds = Math.floor(Date.now() / 1000);
  const tokens: Tokens = {
    good: await bearing({ sub: 'ann', email: 'ann@example.org', groups: ['Admin'] }),
    otherUser: await bearing({ sub: 'bob', sid: 'bobs' }),
    ended: await bearing({ sub: 'eve', sid: 'ended' }),
    disabled: await bearing({ sub: 'dan', sid: 'dans' }),
    mustChangePassword: await bearing({ sub: 'pat', sid: 'pats', pcr: true }),
    expired: await bearing({ sub: 'ann', iat: seconds - 7_200, exp: seconds - 3_600 }),
    forged: `${(await bearing({ sub: 'mallory' })).slice(0, -4)}AAAA`,
  };
  // A token is cached after its first request, but the end of its session must still be noticed.
  const usual = (token: string): Written => ({
    method: 'GET',
    target: '/bot',
    version: '1.1',
    headers: [
      ['Host', 'edge'],
      ['Authorization', token],
    ],
    body: '',
  });
  await waitFor(async () => (await send(usual(tokens.good), true)).wasFast);
  for (const token of Object.values(tokens)) await send(usual(token), true);
  await revoking.revoke('session:ended', 'user:dan');
  return {
    edge,
    tokens,
    compare: async (written) => ({ slow: await send(written, false), fast: await send(written, true) }),
  };
}

function textOf({ method, target, version, headers, body }: Written): string {
  return `${method} ${target} HTTP/${version}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Whether the connection ends with this request. Later bytes are not a request then. */
function closes({ version, headers }: Written): boolean {
  const connection = headers.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? [value.toLowerCase()] : [])).join();
  return connection.includes('close') || (version === '1.0' && !connection.includes('keep-alive'));
}

const CHANGING: ReadonlySet<string> = new Set(['x-parlance-caller', 'traceparent', 'x-request-id', 'host']);

/** The headers in the order of arrival, without the IDs of traces and requests that are new each time. */
const headersIn = ({ headers }: FastifyRequest) =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, CHANGING.has(name) ? typeof value : value]]));

const ULID = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

const withoutIds = (answer: string): string => answer.replaceAll(ULID, 'ID').replaceAll(/^date: .*$/gim, 'date: now');
