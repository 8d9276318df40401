import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { loadConfig } from '@parlance/config';
import type { CloudEvent } from '@parlance/messaging';
import { FoundationModule } from '../wiring/foundation.module.ts';
import { type Host, openHost } from './host.ts';
import { startService } from './service.ts';

const topic = 'parlance.identity';
const heard = Promise.withResolvers<string>();

@Controller()
class Listener {
  @EventPattern('parlance.identity.user-erased.v1')
  hear(@Payload() { id }: CloudEvent): void {
    heard.resolve(id);
  }
}

@Module({})
class Listening {}

it('sets events aside that a newer release left in the broker of the one process', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-rollback-'));
  const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal' };
  const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
  try {
    const parts = { name: 'bots', projections: [], publish: () => [] };
    const imports = async (its: Host) => [await FoundationModule.of(its, parts)];
    const module = async (its: Host) => ({ module: Listening, imports: await imports(its), controllers: [Listener] });
    const publisher = await host.broker.publisher('identity');
    const of = (type: string) => ({ topic, key: 'user-1', event: { id: type, type } as CloudEvent });
    // The second is known, though this service does not handle it.
    const types = ['user-shrunk', 'user-registered', 'user-erased'].map((name) => `${topic}.${name}.v1`);
    await startService({ name: 'bots', module, handlers: () => [] }, host);
    await publisher.send(types.map(of));
    expect(await heard.promise).toBe(types[2]);
    const letters = await host.broker.deadLetters('bots', 10);
    expect(letters.map(({ event }) => event.type)).toEqual([types[0]]);
    expect(letters[0]!.reason).toContain('newer release');
  } finally {
    await host.shutdown.run();
    await rm(directory, { recursive: true });
  }
});
