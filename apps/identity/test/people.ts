import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { Service } from '@parlance/foundation';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { identity } from '../src/service.ts';

export const adminEmail = 'first@example.org';
export const password = 'correct horse battery';

/** Identity alone, with a first Admin, and the requests that tests send. */
export async function identityUnderTest(settings: Readonly<Record<string, string>> = {}, changed: Partial<Service> = {}) {
  let app: NestFastifyApplication | undefined;
  const service = await serviceUnderTest(
    { ...identity, ...changed, install: (started) => (app = started) },
    { PARLANCE_ADMIN_EMAIL: adminEmail, PARLANCE_ADMIN_PASSWORD: password, ...settings },
  );
  const ask = asking(service);
  const signIn = (email: string, chosen = password) => ask('post', '/auth/sign-in', null, { email, password: chosen });
  const { user } = (await signIn(adminEmail)).body;
  const admin = { userId: user.user_id as string, groups: ['Admin'] };
  const asAdmin = (method: Method, path: string, body?: object, headers = {}) => ask(method, path, admin, body, headers);
  return { ...service, app: app!, ask, signIn, admin, asAdmin };
}

export type IdentityUnderTest = Awaited<ReturnType<typeof identityUnderTest>>;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface Asking {
  readonly userId: string;
  readonly groups?: readonly string[];
  readonly sessionId?: string;
  /** The ID of the personal access token of the request. */
  readonly tokenId?: string;
}

/** A request as the edge forwards it for a user, or for an anonymous caller. */
export const asking =
  (service: ServiceUnderTest) =>
  (method: Method, path: string, who: Asking | null, body?: object, headers: Record<string, string> = {}) => {
    const rid = newId();
    const statement = service.host.statements.sign(
      {
        sub: who?.userId ?? null,
        groups: who?.groups ?? [],
        sid: who?.sessionId ?? null,
        kind: who ? 'user' : 'anonymous',
        ...(who?.tokenId !== undefined && { tid: who.tokenId }),
        ip: '203.0.113.9',
        ua: headers['user-agent'] ?? 'test/1',
        rid,
        cid: rid,
        ...(headers['nid'] && { nid: headers['nid'] }),
      },
      Instant.ofMillis(Date.now()),
    );
    const pending = request(service.server)[method](path).set('x-parlance-caller', statement).set(headers);
    return body === undefined ? pending : pending.send(body);
  };

/** The claims of an access token. The signature is not checked here: the edge does that. */
export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown> & { sub: string; sid: string };
