import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EventStore } from '@parlance/event-store';
import { SubjectKeys } from '@parlance/privacy';
import type { SqliteFile } from '@parlance/sqlite';
import request from 'supertest';
import { type ServiceUnderTest, serviceUnderTest } from '../harness.ts';
import type { Host } from '../process/host.ts';
import { type Service, startService } from '../process/service.ts';
import { FoundationModule } from '../wiring/foundation.module.ts';

@Module({})
class Alone {}

const apps = new Map<string, NestFastifyApplication>();
const alone = (name: string): Service => ({
  name,
  handlers: () => [],
  module: async (host: Host) => ({
    module: Alone,
    imports: [await FoundationModule.of(host, { name, projections: [], publish: () => [], keepsUserKeys: true })],
  }),
  install: (its) => void apps.set(name, its),
});

describe('two services of one process, when the file of one cannot grow', () => {
  let service: ServiceUnderTest;
  let keys = 0;

  beforeAll(async () => {
    service = await serviceUnderTest(alone('identity'));
    await startService(alone('bots'), service.host);
  });
  afterAll(() => service.stop());

  /** In pages. 1 is the size that the file has. */
  const limit = async (pages: number) => {
    const { file } = apps.get('identity')!.get(EventStore) as unknown as { file: SqliteFile };
    await file.write((transaction) => transaction.all(`PRAGMA max_page_count = ${pages}`));
  };
  /** Users cannot write without keys. */
  const newKey = () =>
    apps
      .get('identity')!
      .get(SubjectKeys)
      .obtain({ id: `user:${++keys}` });
  const statusOf = async (name: string) => (await request(apps.get(name)!.getHttpServer()).get('/health/ready')).status;
  const store = async () =>
    (await request(service.server).get('/internal/health').set(service.asService('analytics')).expect(200)).body.store.status;

  it('makes both not ready until it can grow again, although no event was appended', async () => {
    expect([await statusOf('identity'), await statusOf('bots'), await store()]).toEqual([200, 200, 'up']);
    await limit(1);
    const fill = async () => {
      for (;;) await newKey();
    };
    await expect(fill()).rejects.toThrow('full');
    expect([await statusOf('identity'), await statusOf('bots'), await store()]).toEqual([503, 503, 'down']);
    await limit(1_000_000);
    expect([await statusOf('bots'), await statusOf('identity'), await store()]).toEqual([200, 200, 'up']);
    await newKey();
  });
});
