import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Clock, EDGE_HEALTH_PATH, inTime, SERVICE_HEALTH_PATH, type ServiceFacts } from '@parlance/foundation';
import { type HealthAnswer, type ServiceHealth, SERVICES } from '../http/health-answers.ts';
import { WebhookStates } from './deliveries/webhook-states.ts';

/** How long to wait for a service, which limits each part of its answer to a second. */
const PATIENCE_MS = 2_500;

type Name = (typeof SERVICES)[number];
type Store = Omit<HealthAnswer['stores'][number], 'service' | 'kind'>;
type Broker = HealthAnswer['broker'];

interface Part {
  readonly service: Omit<ServiceHealth, 'name'>;
  readonly store: Store;
  /** Null if the service stores no files, or did not answer. */
  readonly objectStore: Store | null;
  /** Null if the service did not answer. */
  readonly broker: Broker | null;
}

/** Asks all services for their state at once. A service that does not answer in time is unreachable. */
@Injectable()
export class CollectHealth {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
    private readonly webhooks: WebhookStates,
  ) {}

  async collect(): Promise<HealthAnswer> {
    const webhooks = inTime(PATIENCE_MS, this.webhooks.all()).catch(() => null);
    const parts = await Promise.all(SERVICES.map((name) => inTime(PATIENCE_MS, this.answerOf(name)).catch(() => UNREACHABLE)));
    return {
      services: SERVICES.map((name, place) => ({ name, ...parts[place]!.service })),
      broker: this.brokerOf(parts),
      stores: [
        ...SERVICES.map((service, place) => ({ service, kind: 'database' as const, ...parts[place]!.store })),
        ...SERVICES.flatMap((service, place) => {
          const { objectStore } = parts[place]!;
          return objectStore ? { service, kind: 'object_store' as const, ...objectStore } : [];
        }),
      ],
      webhooks: await webhooks.then((all) => all && [...all]),
    };
  }

  private async answerOf(name: Name): Promise<Part> {
    const {
      store,
      broker,
      object_store: objectStore = null,
      silent_replicas = null,
      ...shown
    } = await this.calls.get<ServiceFacts>(name, name === 'edge' ? EDGE_HEALTH_PATH : SERVICE_HEALTH_PATH);
    const isRight = [store, broker, objectStore].every((part) => part?.status !== 'down') && shown.stopped?.length === 0;
    const isWhole = isRight && shown.parked === 0 && shown.dead_letters === 0 && (silent_replicas?.length ?? 0) === 0;
    return { service: { status: isWhole ? 'ok' : 'degraded', ...shown, silent_replicas }, store, objectStore, broker };
  }

  /** The broker counts as down if any answering service cannot reach it, since the earliest time that one of them lost it. */
  private brokerOf(parts: readonly Part[]): Broker {
    const seen = parts.flatMap(({ broker }) => broker ?? []);
    const down = seen.filter(({ status }) => status === 'down').toSorted((one, other) => one.since - other.since);
    return down[0] ?? seen[0] ?? { status: 'down', since: this.clock.now() / 1_000, latency_ms: null, bytes: null };
  }
}

const UNREACHABLE: Part = {
  service: {
    status: 'unreachable',
    version: null,
    replicas: null,
    silent_replicas: null,
    lag_seconds: null,
    events_behind: null,
    parked: null,
    dead_letters: null,
    stopped: null,
    building: null,
  },
  store: { status: 'unknown', since: null, latency_ms: null, bytes: null },
  objectStore: null,
  broker: null,
};
