import { LogBroker, type Outbox, Relay, type RelayOptions } from '@parlance/messaging';
import type { Host } from '../process/host.ts';
import { RELEASE } from '../publishing/release.ts';

type Published = Pick<RelayOptions, 'store' | 'checkpoints' | 'publish' | 'onError'> & { readonly name: string };

/** The embedded broker reads the log of a service itself. To Kafka a relay sends the public events. */
export async function openOutbox({ broker }: Pick<Host, 'broker'>, { name, ...published }: Published): Promise<Outbox> {
  const relay = `parlance.${name}`;
  if (!(broker instanceof LogBroker)) return new Relay({ name: relay, broker, release: RELEASE, ...published });
  const { store, publish, checkpoints } = published;
  return broker.enter({ name, topic: relay, store, publish, relayed: () => checkpoints.position(relay) });
}
