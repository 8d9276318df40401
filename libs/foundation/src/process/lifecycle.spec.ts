import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { loadConfig } from '@parlance/config';
import { Broker, RelayCheckpoints } from '@parlance/messaging';
import { RELEASE } from '../publishing/release.ts';
import { FoundationModule } from '../wiring/foundation.module.ts';
import { type Host, openHost } from './host.ts';
import { startService } from './service.ts';

/** A service may write its first events when it starts. */
@Injectable()
class WritesAtTheStart implements OnApplicationBootstrap {
  olderMayPublish: boolean | null = null;

  constructor(private readonly checkpoints: RelayCheckpoints) {}

  async onApplicationBootstrap(): Promise<void> {
    this.olderMayPublish = (await this.checkpoints.claim('parlance.bots', 'a replica of an older release', 1, RELEASE - 1)) !== null;
  }
}

@Module({})
class Starting {}

/** The same broker without the logs of the services, so that a relay sends to it as to Kafka. */
function withoutLogs(broker: Broker): Broker {
  const get = (_: Broker, name: keyof Broker) => broker[name].bind(broker);
  return new Proxy(broker, { get, getPrototypeOf: () => Broker.prototype } as ProxyHandler<Broker>);
}

it('claims the right to publish before a service writes its first event, so that no older release skips the event', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-lifecycle-'));
  const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal' };
  const opened = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
  const host = { ...opened, broker: withoutLogs(opened.broker) };
  try {
    const parts = { name: 'bots', projections: [], publish: () => [] };
    const imports = async (its: Host) => [await FoundationModule.of(its, parts)];
    const module = async (its: Host) => ({ module: Starting, imports: await imports(its), providers: [WritesAtTheStart] });
    const { app } = await startService({ name: 'bots', module, handlers: () => [] }, host);
    expect(app.get(WritesAtTheStart).olderMayPublish).toBe(false);
  } finally {
    await host.shutdown.run();
    await rm(directory, { recursive: true });
  }
});
