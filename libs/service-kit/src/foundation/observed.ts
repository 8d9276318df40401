import type { Broker, Relay } from '@parlance/messaging';
import type { Projection, Projector } from '@parlance/read-models';
import type { EventStore } from '@parlance/event-store';
import type { ServiceCalls } from '../calls/service-calls.ts';
import type { Host } from './host.ts';
import type { Metrics } from '../observing/metrics.ts';
import type { Readiness } from '../observing/readiness.ts';

export interface Observed {
  readonly name: string;
  readonly store: EventStore;
  readonly broker: Broker;
  readonly projector: Projector;
  readonly projections: readonly Projection[];
  readonly relay: Relay;
  readonly calls: ServiceCalls;
  readonly building: Host['building'];
}

/** What a service's health and metrics ask, whenever somebody looks. */
export function observe(
  { name, store, broker, projector, projections, relay, calls, building }: Observed,
  readiness: Readiness,
  metrics: Metrics,
): void {
  readiness.needsToAnswer('event store', async () => void (await store.head()));
  // Commands are durable without the broker; its events follow when it is back.
  readiness.shows('broker', async () => void (await broker.lag(name)));
  building.set(name, () => projector.ready());
  readiness.waitsFor('read models', () => {
    const all = [...building].flatMap(([service, remaining]) =>
      remaining().map(({ projection, progress }) => [`${service}/${projection}`, `${Math.floor(progress * 100)} %`] as const),
    );
    return all.length === 0 ? null : Object.fromEntries(all);
  });
  readiness.shows('projections', async () => {
    const all = await projector.lag();
    const stopped = all.filter((each) => each.stopped !== null).map(({ projection }) => projection);
    const parked = all.reduce((sum, each) => sum + each.parked, 0);
    return { ...(stopped.length > 0 && { stopped: stopped.join(', ') }), ...(parked > 0 && { parked }) };
  });
  for (const { name: breaker } of calls.breakers()) {
    const state = () => calls.breakers().find((each) => each.name === breaker)?.state ?? 'closed';
    readiness.showsBreaker(breaker, state);
    metrics.breaker(breaker, state);
  }
  metrics.eventStoreHead(() => store.head());
  for (const projection of projections) {
    metrics.projectionLag(
      projection.name,
      async () => (await projector.lag()).find((lag) => lag.projection === projection.name)?.behind ?? 0,
    );
  }
  metrics.relayLag(async () => Math.max(0, (await store.head()) - (await relay.position())));
  metrics.consumerLag(name, () => broker.lag(name));
  metrics.deadLetters(name, () => broker.countDeadLetters(name));
}
