import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { loadConfig } from '@parlance/config';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { testPace } from '../harness.ts';
import { FoundationModule } from '../wiring/foundation.module.ts';
import { type Host, openHost } from './host.ts';
import { startService } from './service.ts';

const topic = 'parlance.identity';
const received = Promise.withResolvers<string>();

@Controller()
class Listener {
  @EventPattern('parlance.identity.user-erased.v1')
  hear(@Payload() { id }: CloudEvent): void {
    received.resolve(id);
  }
}

@Module({})
class Listening {}

it('sets dead letters of a newer release aside again that are redriven in single-process mode', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-rollback-'));
  const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal' };
  const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false, 'needs at once', testPace);
  const { broker } = host;
  try {
    const parts = { name: 'bots', projections: [], publish: () => [] };
    const imports = async (its: Host) => [await FoundationModule.of(its, parts)];
    const module = async (its: Host) => ({ module: Listening, imports: await imports(its), controllers: [Listener] });
    const publisher = await broker.publisher('identity');
    const of = (type: string) => ({ topic, key: 'user-1', event: { id: type, type } as CloudEvent });
    const [unknown, known] = ['user-shrunk', 'user-erased'].map((name) => `${topic}.${name}.v1`) as [string, string];
    const newer = await broker.subscribe({ group: 'bots', topics: [topic], handle: () => Promise.reject(new Error('fails')) });
    await publisher.send([of(unknown)]);
    await waitFor(async () => (await broker.countDeadLetters('bots')) === 1, { what: 'the dead letter of the newer release' });
    await newer.stop();
    await startService({ name: 'bots', module, handlers: () => [] }, host);
    await publisher.send([of(known)]);
    expect(await received.promise).toBe(known);
    await broker.redrive('bots');
    await waitFor(async () => (await broker.deadLetters('bots', 1))[0]?.reason.includes('newer release'), { what: 'its second reason' });
    const letters = await broker.deadLetters('bots', 10);
    expect(letters.map(({ event }) => event.type)).toEqual([unknown]);
  } finally {
    await host.shutdown.run();
    await rm(directory, { recursive: true });
  }
});
