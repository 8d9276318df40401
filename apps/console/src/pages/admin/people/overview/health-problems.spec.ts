import type { Health, ServiceHealth, StoreHealth } from '@parlance/client/types';
import { problemsOf } from './health-problems.ts';

const service = (name: ServiceHealth['name'], parts: Partial<ServiceHealth> = {}): ServiceHealth => ({
  name,
  status: 'ok',
  version: '1.0.0',
  replicas: 1,
  silent_replicas: [],
  lag_seconds: 0,
  events_behind: 0,
  parked: 0,
  dead_letters: 0,
  building: [],
  stopped: [],
  ...parts,
});
const store = (name: StoreHealth['service'], status: StoreHealth['status'], kind: StoreHealth['kind'] = 'database'): StoreHealth => ({
  service: name,
  kind,
  status,
  since: null,
  latency_ms: null,
  bytes: null,
});
const health = (services: ServiceHealth[], stores: StoreHealth[] = [], broker: Health['broker']['status'] = 'up'): Health => ({
  services,
  stores,
  broker: { status: broker, since: 0, latency_ms: null, bytes: null },
  webhooks: [],
});
const named = (all: Health) => problemsOf(all).map(({ kind, service: of }) => [kind, of]);

describe('the problems of the services', () => {
  it('are empty if all services are healthy', () =>
    expect(named(health([service('bots'), service('edge')], [store('bots', 'up')]))).toEqual([]));

  it('start with the worst', () =>
    expect(
      named(
        health(
          [service('bots', { status: 'degraded' }), service('identity', { status: 'unreachable' })],
          [store('analytics', 'down')],
          'down',
        ),
      ),
    ).toEqual([
      ['broker', null],
      ['unreachable', 'identity'],
      ['store', 'analytics'],
      ['degraded', 'bots'],
    ]));

  it('name the object store instead of the services that cannot reach it', () =>
    expect(named(health([service('bots', { status: 'degraded' })], [store('bots', 'up'), store('bots', 'down', 'object_store')]))).toEqual([
      ['object-store', 'bots'],
    ]));

  it('name the reason instead of a degraded service', () =>
    expect(problemsOf(health([service('bots', { status: 'degraded', dead_letters: 3 })]))).toEqual([
      { kind: 'dead-letters', service: 'bots', count: 3 },
    ]));
});
