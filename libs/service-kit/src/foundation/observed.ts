import type { Broker, Relay } from '@parlance/messaging';
import type { Projection, Projector } from '@parlance/read-models';
import type { EventStore } from '@parlance/event-store';
import type { ServiceCalls } from '../calls/service-calls.ts';
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
}

/** What a service's health and metrics ask, whenever somebody looks. */
export function observe(
  { name, store, broker, projector, projections, relay, calls }: Observed,
  readiness: Readiness,
  metrics: Metrics,
): void {
  readiness.needsToAnswer('event store', async () => void (await store.head()));
  readiness.needsToAnswer('broker', async () => void (await broker.lag(name)));
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
