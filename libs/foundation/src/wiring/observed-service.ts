import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Outbox } from '@parlance/messaging';
import { Projector } from '@parlance/read-models';
import { EventStore } from '@parlance/event-store';
import { ServiceCalls } from '@parlance/calls';
import { observeBuses } from '../cqrs/observe-buses.ts';
import type { Host } from '../process/host.ts';
import { type Logger, type Metrics, Readiness, Tracing } from '@parlance/observability';
import type { ObjectStoreHealth } from '../health/object-store-health.ts';
import { FILES_HEALTH, HOST, LOGGER, SERVICE } from './common.module.ts';
import { type Storage, STORAGE } from './storage.module.ts';

/** Connects a service to its health route, metrics, traces and log. */
@Injectable()
export class ObservedService {
  constructor(
    @Inject(HOST) host: Host,
    @Inject(SERVICE) name: string,
    @Inject(LOGGER) logger: Logger,
    @Inject(STORAGE) storage: Storage,
    @Inject(FILES_HEALTH) files: ObjectStoreHealth | null,
    tracing: Tracing,
    readiness: Readiness,
    commands: CommandBus,
    queries: QueryBus,
    store: EventStore,
    projector: Projector,
    outbox: Outbox,
    calls: ServiceCalls,
  ) {
    const metrics = host.metrics.for(name);
    observeBuses(commands, queries, { logger, metrics, tracing });
    const { broker, building, writes } = host;
    writes.set(name, () => storage.writes.check());
    // In one process, the edge shows the object store for all services.
    const { health } = host.objects;
    // Users can chat without files, so an outage of the object store must not take every replica out of rotation.
    if (health) readiness.shows('object store', () => health.check());
    if (files) metrics.objectStore(async () => (await files.state()).status === 'up');
    observe({ name, store, broker, projector, outbox, calls, building, writes }, readiness, metrics);
  }
}

interface Observed {
  readonly name: string;
  readonly store: EventStore;
  readonly broker: Host['broker'];
  readonly projector: Projector;
  readonly outbox: Outbox;
  readonly calls: ServiceCalls;
  readonly building: Host['building'];
  readonly writes: Host['writes'];
}

/** Health and metrics read these values at each request for them. */
function observe(
  { name, store, broker, projector, outbox, calls, building, writes }: Observed,
  readiness: Readiness,
  metrics: Metrics,
): void {
  readiness.needsToAnswer('event store', async () => {
    await store.head();
    await Promise.all([...writes.values()].map((check) => check()));
  });
  // Commands are durable without the broker; their events are published when it is back.
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
  for (const breaker of calls.breakers()) {
    readiness.showsBreaker(breaker.name, () => breaker.state);
    metrics.breaker(breaker.name, () => breaker.state);
  }
  metrics.eventStoreHead(() => store.head());
  const lagOf = async (position: number, head: number) => ({
    behind: Math.max(0, head - position),
    seconds: head > position ? await ageAfter(store, position) : 0,
  });
  metrics.projections(async () => {
    const all = await projector.lag();
    return Promise.all(
      all.map(async ({ projection, position, behind, stopped, parked }) => ({
        projection,
        ...(position === null ? { behind, seconds: 0 } : await lagOf(position, position + behind)),
        isStopped: stopped !== null,
        parked,
      })),
    );
  });
  metrics.relayLag(async () => lagOf(await outbox.position(), await store.head()));
  metrics.consumers(async () => {
    const groups = [name, ...(await projector.lag()).flatMap(({ group }) => group ?? [])];
    return Promise.all(groups.map(async (group) => ({ group, lag: await broker.lag(group) })));
  });
  metrics.deadLetters(name, () => broker.countDeadLetters(name));
}

/** The age of the commit after a position, in seconds. */
async function ageAfter(store: EventStore, position: number): Promise<number> {
  const [next] = await store.readAll(position, 1);
  return next ? Math.max(0, (Date.now() - next.metadata.at) / 1_000) : 0;
}
