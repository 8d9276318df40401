import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceCalls } from '@parlance/calls';
import type { Config } from '@parlance/config';
import { Refusal } from '@parlance/decider';
import { openCalls, openHost, startService } from '@parlance/foundation';
import type { MakeFirstAdminOnFirstStart } from '@parlance/identity';
import { NotDone } from '../../not-done.ts';
import { services } from '../../services.ts';

/** The services that a migration writes to: the running cluster, or all services started in this process. */
export interface Product {
  readonly calls: ServiceCalls;
  /** The address at which this process accepts uploads; null if clients upload to the object store directly. */
  readonly uploads: string | null;
  readonly firstAdmin: MakeFirstAdminOnFirstStart['made'];
  stop(): Promise<void>;
}

/** With the embedded store, the product must be stopped, because only one process can open its files. */
export async function openProduct(config: Config): Promise<Product> {
  const { MakeFirstAdminOnFirstStart: FirstAdmin } = await import('@parlance/identity');
  const host = await openHost(config, process.stdout.isTTY);
  try {
    host.shutdown.listen();
    const isCluster = Object.keys(config.services).length > 0;
    const { calls } = await openCalls(host, 'migrate');
    const stop = async () => void (await host.shutdown.run());
    if (isCluster) return { calls, uploads: null, firstAdmin: null, stop };
    host.published.expect(services.map(({ name }) => name));
    let uploads: string | null = null;
    let firstAdmin: Product['firstAdmin'] = null;
    for (const service of services) {
      const { app } = await startService(service, host);
      if (service.name === 'identity') firstAdmin = app.get(FirstAdmin).made ?? null;
      if (service.name !== 'edge') continue;
      await app.listen(0, '127.0.0.1');
      uploads = await app.getUrl();
    }
    return { calls, uploads, firstAdmin, stop };
  } catch (error) {
    await host.shutdown.run();
    throw error;
  }
}

const TRIES = 8;
const FIRST_PAUSE = 250;

/** Retries while a service is unavailable. Rejects with the refusal, or with `NotDone` if the service stays unavailable. */
export async function withPatience<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'unavailable') throw error;
      if (tries === TRIES) throw new NotDone(`a service does not answer (${error.message}) Run the same command again to continue.`);
      await delay(FIRST_PAUSE * 2 ** (tries - 1));
    }
  }
}
