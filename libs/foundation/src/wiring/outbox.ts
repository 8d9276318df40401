import { LogBroker, type Outbox, Relay, type RelayOptions } from '@parlance/messaging';
import type { Host } from '../process/host.ts';
import { RELEASE } from '../publishing/release.ts';

type Published = Pick<RelayOptions, 'store' | 'checkpoints' | 'publish' | 'onError'> & { readonly name: string };

/** The embedded broker reads the log of a service itself. To Kafka a relay sends the public events. */
export async function openOutbox({ broker, config }: Pick<Host, 'broker' | 'config'>, { name, ...published }: Published): Promise<Outbox> {
  const relay = `parlance.${name}`;
  if (!(broker instanceof LogBroker)) {
    // Only one process can open the data directory, so a lease found there belongs to a process that has ended.
    const owner = config.mongoUri === null && { owner: 'the one process' };
    return new Relay({ name: relay, broker, release: RELEASE, ...published, ...owner });
  }
  const { store, publish, checkpoints } = published;
  return broker.enter({ name, topic: relay, store, publish, relayed: () => checkpoints.position(relay) });
}
