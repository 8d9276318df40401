import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Instant } from '@parlance/decider';
import { topicOf } from '@parlance/messaging';
import type { CallerStatement } from '@parlance/http';
import { Clock, type Host, openHost, startService } from '@parlance/foundation';
import { bringsForward, testPace } from '@parlance/foundation/harness';
import { loadConfig } from '@parlance/config';
import { newId } from '@parlance/event-store';
import type { Logging } from '@parlance/observability';
import fastify, { type FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type DocumentedService, DOCUMENTED_SERVICES } from '../src/adapters/service-documents.ts';
import { edge } from '../src/service.ts';
import { answerRevocations, answersRevocations } from './revocations.ts';

type Json = Readonly<Record<string, unknown>>;
export type Operations = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** An edge that listens. Everything is real except the services. */
export interface EdgeUnderTest {
  readonly url: string;
  readonly server: Server;
  readonly host: Host;
  readonly app: NestFastifyApplication;
  /** Headers of a request with a valid access token. */
  as(userId: string, ...groups: string[]): Promise<Record<string, string>>;
  /** Headers of a request with a valid access token that has these claims instead of, or in addition to, the usual ones. */
  bearing(claims: Json): Promise<Record<string, string>>;
  /** Moves the edge's clock forward. */
  later(millis: number): void;
  /** Publishes an event as another service would. */
  hear(type: string, subject: string, data: object): Promise<void>;
  /** Destroys a user's key at identity; the edge forgets it only when it learns of the erasure. */
  shred(userId: string): void;
  stop(): Promise<void>;
}

export interface RigOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The services listen on their own addresses, and the edge reaches them by HTTP. */
  readonly overHttp?: boolean;
  /** Replaces the log of the edge. */
  readonly logging?: Logging;
}

/** A service with these paths, to which the caller adds routes. */
export function stub(title: string, paths: Operations = {}, schemas: Json = {}): FastifyInstance {
  const service = fastify({ logger: false, bodyLimit: 20 * 1024 * 1024 });
  const document = { openapi: '3.1.0', info: { title, version: '0' }, paths, components: { schemas, securitySchemes: {} } };
  service.get('/internal/openapi.json', () => document);
  service.decorate('refusalOfWork', () => null);
  return service;
}

/** What the edge stated about the caller of a request that reached a stub. */
export function statementIn({ raw }: { readonly raw: IncomingMessage }): CallerStatement {
  for (const host of hosts) {
    const statement = host.statements.of(raw, Instant.ofMillis(Date.now()));
    if (statement) return statement;
  }
  throw new Error('the statement was not signed by an edge of these tests');
}

/** All started hosts. A stub is created before its edge, so it checks statements with all of them. */
const hosts = new Set<Host>();

/**
 * An edge in front of these services. The other services exist but have no routes. The service passed as identity gets the keys of tokens
 * and of users, so it need not be ready yet.
 */
export async function edgeWith(
  services: Partial<Record<DocumentedService, FastifyInstance>>,
  { settings = {}, overHttp = false, logging }: RigOptions = {},
): Promise<EdgeUnderTest> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'EdDSA', use: 'sig' }] };
  const userKeys = new Map<string, Uint8Array | null>();
  const all = new Map(DOCUMENTED_SERVICES.map((name) => [name, services[name] ?? stub(name)]));
  const identity = all.get('identity') as FastifyInstance;
  identity.get('/.well-known/jwks.json', () => jwks);
  for (const owner of [identity, all.get('publication') as FastifyInstance]) if (!answersRevocations(owner)) answerRevocations(owner);
  identity.get<{ Params: { subject: string } }>('/internal/subject-keys/:subject', ({ params: { subject } }, reply) => {
    if (!userKeys.has(subject)) userKeys.set(subject, randomBytes(32));
    const key = userKeys.get(subject);
    if (key) return { wrapped: host.master.wrap(key, subject) };
    return reply
      .code(404)
      .type('application/problem+json')
      .send(JSON.stringify({ code: 'subject_key_gone', detail: 'gone' }));
  });

  const addresses: Record<string, string> = {};
  if (overHttp) for (const [name, service] of all) addresses[name] = await service.listen({ host: '127.0.0.1', port: 0 });
  const directory = await mkdtemp(join(tmpdir(), 'parlance-edge-'));
  const env = {
    PARLANCE_DATA_DIR: directory,
    PARLANCE_LOG_LEVEL: 'fatal',
    PARLANCE_SHUTDOWN_GRACE_SECONDS: '5',
    // All requests of these tests come from one address.
    PARLANCE_REQUESTS_PER_MINUTE: '0',
    PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
    ...(overHttp && { PARLANCE_SERVICES: JSON.stringify(addresses) }),
    ...settings,
  };
  const opened = await openHost(loadConfig({ argv: [], env, cwd: directory }), false, 'needs at once', testPace);
  const host = logging ? { ...opened, logging } : opened;
  if (!overHttp) for (const [name, service] of all) await host.local.enter(name, service);
  hosts.add(host);
  const { app, instance } = await startService(edge, host);
  const clock = app.get(Clock);
  const later = bringsForward(clock);
  let heard = 0;
  await new Promise<void>((resolve) => instance.server.listen(0, '127.0.0.1', resolve));

  const bearing = async (claims: Json) => {
    const seconds = Instant.toSeconds(clock.now());
    const usual = { sub: 'ann', groups: [], sid: 'session', iss: 'parlance', aud: 'parlance', iat: seconds, exp: seconds + 1800 };
    const token = new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: 'one' });
    return { authorization: `Bearer ${await token.sign(privateKey)}` };
  };

  return {
    url: `http://127.0.0.1:${(instance.server.address() as AddressInfo).port}`,
    server: instance.server,
    host,
    app,
    as: (userId, ...groups) => bearing({ sub: userId, groups, email: `${userId}@parlance.local` }),
    bearing,
    later,
    async hear(type, subject, data) {
      const source = type.split('.')[1] as string;
      const publisher = await host.broker.publisher(`test.${source}`);
      const [id, time] = [newId(), new Date().toISOString()];
      const event = {
        specversion: '1.0',
        id,
        source: `/${source}`,
        type,
        subject,
        time,
        datacontenttype: 'application/json',
        data,
      } as const;
      await publisher.send([{ topic: topicOf(type), key: subject, event: { ...event, sequence: `${++heard}.0` } }]);
      await publisher.close();
    },
    shred: (userId) => void userKeys.set(`user:${userId}`, null),
    async stop() {
      // A connection that fetch opened in advance counts as busy, and closing would wait for it.
      instance.server.closeAllConnections();
      await host.shutdown.run();
      await Promise.all([...all.values()].map((service) => service.close()));
      await rm(directory, { recursive: true });
    },
  };
}
