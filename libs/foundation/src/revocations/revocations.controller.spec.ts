import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { projection } from '@parlance/read-models';
import { RevocationFeed, revocationRows, revoke } from '@parlance/revocation';
import type { Host } from '../process/host.ts';
import type { Service } from '../process/service.ts';
import { FoundationModule } from '../wiring/foundation.module.ts';
import { RequestContext } from '@parlance/observability';
import { type ServiceUnderTest, serviceUnderTest } from '../harness.ts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import request from 'supertest';
import { ServedRevocations } from './served-revocations.ts';
import { RevocationsController } from './revocations.controller.ts';

@Module({})
class Alone {}

const until = Number.MAX_SAFE_INTEGER;
const ended = projection<{ type: 'SessionEnded' }>({
  name: 'revocations',
  version: 1,
  tables: [revocationRows],
  on: { SessionEnded: (_, { stream, position }) => [revoke(stream, position, until)] },
});

describe('the feed of revocations for edges', () => {
  let service: ServiceUnderTest;
  let app: NestFastifyApplication;
  const alone: Service = {
    name: 'identity',
    handlers: () => [],
    module: async (host: Host) => ({
      module: Alone,
      imports: [await FoundationModule.of(host, { name: 'identity', projections: [ended], publish: () => [], keepsUserKeys: true })],
      controllers: [RevocationsController],
      providers: [{ provide: RevocationFeed, useClass: ServedRevocations }],
    }),
    install: (its) => {
      app = its;
    },
  };
  beforeAll(async () => {
    service = await serviceUnderTest(alone);
  });
  afterAll(() => service.stop());

  const byEdge = (path: string) => {
    const who = { sub: 'edge', groups: [], sid: null, kind: 'service', ip: null, ua: null, rid: 'r', cid: 'c', call: true } as const;
    const statement = service.host.statements.sign(who, Instant.ofMillis(Date.now()));
    return request(service.server).get(`/internal/revocations${path}`).set('x-parlance-caller', statement);
  };
  const end = async (stream: string) => {
    const metadata = RequestContext.metadata(Instant.ofMillis(Date.now()));
    await app.get(EventStore).append({ stream, expected: 0, events: [{ type: 'SessionEnded' }], metadata });
    return app.get(EventStore).positionOf(stream, 1);
  };

  it('is empty at first', async () => {
    const answer = await byEdge('?watcher=a&wait=0');
    expect([answer.status, answer.body]).toEqual([200, { position: 0, entries: [] }]);
  });

  it('reaches waiting edges, and reports to the revoking caller when all edges have the revocation', async () => {
    const polled = byEdge('?watcher=a&seen=0&wait=700').then(({ body }) => body);
    const position = await end('session:1');
    const seenByAll = app.get(RevocationFeed).seenByAll(position);
    expect(await polled).toEqual({ position, entries: [{ key: 'session:1', revoked: true, until }] });
    await byEdge(`?watcher=a&seen=${position}&wait=0`);
    await seenByAll;
  });

  it('returns whether single keys are revoked', async () => {
    expect((await byEdge('/state?keys=session:1,user:1')).body).toEqual({ revoked: ['session:1'] });
  });

  it.each(['', '?watcher=a', '?watcher=a&wait=5001', '?watcher=a&wait=0&seen=-1', '?watcher=a&wait=0&seen=x', '/state'])(
    'refuses the invalid query %j',
    async (path) => expect((await byEdge(path)).status).toBe(400),
  );

  it('is not served to users', async () => {
    const answer = await request(service.server).get('/internal/revocations?watcher=a&wait=0').set(service.as('ann', 'Admin'));
    expect(answer.status).toBe(404);
  });

  it('still answers after it is closed, while the service stops', async () => {
    app.get(RevocationFeed).close();
    expect((await byEdge('?watcher=a&seen=1&wait=700')).status).toBe(200);
  });
});
