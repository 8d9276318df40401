import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { inTime, SERVICE_HEALTH_PATH, type ServiceFacts } from '@parlance/foundation';
import { type HealthAnswer, type ServiceHealth, SERVICES } from '../http/health-answers.ts';

/** A service bounds each part of its answer by a second. */
const PATIENCE_MS = 2_500;

/** Asks all services for their state at once. A service that does not answer in time is unreachable. */
@Injectable()
export class CollectHealth {
  constructor(private readonly calls: ServiceCalls) {}

  async collect(): Promise<HealthAnswer> {
    const all = await Promise.all(SERVICES.map((name) => this.factsOf(name)));
    const services = SERVICES.map((name, place) => healthOf(name, all[place]!));
    const stores = SERVICES.map((service, place) => ({ service, ...(all[place]?.store ?? UNKNOWN) }));
    return { services, broker: brokerOf(all), stores };
  }

  private factsOf(name: string): Promise<ServiceFacts | null> {
    return inTime(PATIENCE_MS, this.calls.get<ServiceFacts>(name, SERVICE_HEALTH_PATH)).catch(() => null);
  }
}

const UNKNOWN = { status: 'unknown', since: null, latency_ms: null, bytes: null } as const;

function healthOf(name: (typeof SERVICES)[number], facts: ServiceFacts | null): ServiceHealth {
  if (facts === null) {
    const nothing = { version: null, replicas: null, lag_seconds: null, events_behind: null, parked: null, dead_letters: null };
    return { name, status: 'unreachable', ...nothing, stopped: null, building: null };
  }
  const { store, broker, ...shown } = facts;
  const isRight = store.status === 'up' && broker.status === 'up' && shown.stopped?.length === 0;
  return { name, status: isRight && shown.parked === 0 && shown.dead_letters === 0 ? 'ok' : 'degraded', ...shown };
}

/** The broker is up if it is up for every service that answered. Otherwise the answer is that of the service that has lost it first. */
function brokerOf(all: readonly (ServiceFacts | null)[]): HealthAnswer['broker'] {
  const seen = all.flatMap((facts) => (facts ? [facts.broker] : []));
  const down = seen.filter(({ status }) => status === 'down').toSorted((one, other) => one.since - other.since);
  // This service has answered itself.
  return down[0] ?? seen[0] ?? { status: 'down', since: Date.now() / 1_000, latency_ms: null, bytes: null };
}
