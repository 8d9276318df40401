import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lag } from '@parlance/messaging';
import type { Registry } from 'prom-client';
import { modelMetricsOf, type ModelMetrics, silentModelMetrics } from '../gen-ai/model-metrics.ts';
import { gaugeOfSources } from './gauge-of-sources.ts';
import { type ModelTargetMetrics, modelTargetMetricsOf, silentModelTargetMetrics } from './model-target-metrics.ts';
import type { StartState } from '../start-state.ts';

type Later<Value> = Value | Promise<Value>;
/** The progress of a projection. */
export interface ProjectionState {
  readonly projection: string;
  /** The number of commits that the projection has yet to read. */
  readonly behind: number;
  /** The age of the oldest of these commits; 0 if there is none. */
  readonly seconds: number;
  readonly isStopped: boolean;
  /** The number of keys that the projection has set aside. */
  readonly parked: number;
}

export interface GroupLag {
  readonly group: string;
  readonly lag: readonly Lag[];
}

/** The delivery of events to one webhook. */
export interface WebhookLag {
  readonly webhook: string;
  /** How long the oldest undelivered event has waited; 0 if there is none. */
  readonly seconds: number;
  readonly pending: number;
  readonly dead: number;
}

export type BreakerState = 'closed' | 'half_open' | 'open';

/** The metrics of a service. Gauges are computed only when metrics are scraped. */
export interface Metrics extends ModelMetrics, ModelTargetMetrics {
  /** False if metrics are off. */
  readonly isServed: boolean;
  /** An answered request. `route` is the pattern, not the path, which would make a series per ID. */
  request(method: string, route: string, status: number, seconds: number): void;
  /** A command or query that was handled. The outcome is `done`, `refused` or `failed`. */
  handled(kind: 'command' | 'query', name: string, outcome: string, seconds: number): void;
  eventStoreHead(position: () => Later<number>): void;
  projections(all: () => Later<readonly ProjectionState[]>): void;
  relayLag(lag: () => Later<{ readonly behind: number; readonly seconds: number }>): void;
  consumers(all: () => Later<readonly GroupLag[]>): void;
  deadLetters(group: string, count: () => Later<number>): void;
  /** The state is null while there is no such breaker. */
  breaker(name: string, state: () => BreakerState | null): void;
  repliesOwed(count: () => Later<number>): void;
  objectStore(isUp: () => Later<boolean>): void;
  webhooks(all: () => Later<readonly WebhookLag[]>): void;
  /** An attempt to send a mail has ended. */
  mail(outcome: 'sent' | 'delayed' | 'failed'): void;
  /** A policy has found something in a message or in an answer. */
  guardrail(policy: string, stage: string, action: string): void;
}

/** The metrics of a process, served on a separate port. */
export interface MetricsExport {
  /** The port of /metrics; null if metrics are off. */
  readonly port: number | null;
  for(service: string): Metrics;
  close(): Promise<void>;
}

/** With port 0, metrics are off and prom-client is not loaded, which saves 30 ms of the start and 4 MB. */
export async function openMetrics(port: number, host: string, start: StartState): Promise<MetricsExport> {
  return port === 0 ? { port: null, for: () => silent, close: () => Promise.resolve() } : serveMetrics(port, host, start);
}

/** Like `openMetrics`, but 0 selects a free port. The port also serves `/health/start`, because it opens before the service's own port. */
export async function serveMetrics(port: number, host: string, start: StartState): Promise<MetricsExport & { readonly port: number }> {
  const prom = await import('prom-client');
  const registry = new prom.Registry();
  // Once per process: event loop, memory, garbage collection, CPU.
  prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  const make = metricsOf(prom, registry);

  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (request.method === 'GET' && path === '/health/start') return answerStart(response, start);
    if (request.method !== 'GET' || path !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    for: make,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerStart(response: ServerResponse, { isStarted, waitingSeconds }: StartState): void {
  const details = Object.entries(waitingSeconds).map(([server, seconds]) => [server, { status: 'down', waiting_seconds: seconds }]);
  response
    .writeHead(isStarted ? 200 : 503, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify({ status: isStarted ? 'ok' : 'error', details: Object.fromEntries(details) }));
}

const silent: Metrics = {
  ...silentModelMetrics,
  ...silentModelTargetMetrics,
  isServed: false,
  request() {},
  handled() {},
  eventStoreHead() {},
  projections() {},
  relayLag() {},
  consumers() {},
  deadLetters() {},
  breaker() {},
  repliesOwed() {},
  objectStore() {},
  webhooks() {},
  mail() {},
  guardrail() {},
};

const breakerStates: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

function metricsOf(prom: typeof import('prom-client'), registry: Registry): (service: string) => Metrics {
  const requests = new prom.Histogram({
    name: 'parlance_http_request_duration_seconds',
    help: 'Time to answer an HTTP request, by route and class of status',
    labelNames: ['service', 'method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const handled = new prom.Histogram({
    name: 'parlance_handling_duration_seconds',
    help: 'Time to handle a command or a query, by its name and outcome',
    labelNames: ['service', 'kind', 'name', 'outcome'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  });
  const gauge = (name: string, help: string, labelNames: readonly string[]) =>
    gaugeOfSources(prom, registry, `parlance_${name}`, help, labelNames);
  const head = gauge('event_store_head', 'Position of the newest commit', ['service']);
  const projections = gauge('projection_lag_events', 'Commits that a projection has yet to read', ['service', 'projection']);
  const ages = gauge('projection_lag_seconds', 'How long the oldest commit has waited for a projection', ['service', 'projection']);
  const stopped = gauge('projection_stopped', '1 for a projection that stands still at an event that it cannot apply', [
    'service',
    'projection',
  ]);
  const parked = gauge('projection_parked_keys', 'Keys whose events a projection has set aside', ['service', 'projection']);
  const relay = gauge('relay_lag_events', 'Commits that have yet to be sent', ['service']);
  const relayAge = gauge('relay_lag_seconds', 'How long the oldest commit has waited to be sent', ['service']);
  const consumers = gauge('consumer_lag_events', 'Events that a group has yet to handle', ['service', 'group', 'topic', 'partition']);
  const setAside = gauge('dead_letters', 'Events that a group has set aside', ['service', 'group']);
  const unwritten = gauge('replies_owed', 'Messages whose replies are not written yet', ['service']);
  const objectStore = gauge('object_store_up', '1 if the object store answers, 0 if it does not', ['service']);
  const webhookAges = gauge('webhook_lag_seconds', 'How long the oldest event that is not delivered to a webhook has waited', [
    'service',
    'webhook',
  ]);
  const webhookPending = gauge('webhook_pending_deliveries', 'Deliveries to a webhook that have yet to succeed', ['service', 'webhook']);
  const webhookDead = gauge('webhook_dead_letters', 'Deliveries to a webhook that were given up', ['service', 'webhook']);
  const breakers = gauge('breaker_state', 'Circuit breakers: 0 closed, 1 half open, 2 open', ['service', 'breaker']);

  const mails = new prom.Counter({
    name: 'parlance_mails_total',
    help: 'Tries of mails that have ended: sent, delayed to a later try, or failed for good',
    labelNames: ['service', 'outcome'],
    registers: [registry],
  });

  const guardrails = new prom.Counter({
    name: 'parlance_guardrail_verdicts_total',
    help: 'Messages and answers in which a policy has found something',
    labelNames: ['service', 'policy', 'stage', 'action'],
    registers: [registry],
  });

  const models = modelMetricsOf(prom, registry);
  const modelTargets = modelTargetMetricsOf(prom, registry);

  return (service) => ({
    ...models(service),
    ...modelTargets(service),
    isServed: true,
    request(method, route, status, seconds) {
      requests.observe({ service, method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    handled: (kind, name, outcome, seconds) => handled.observe({ service, kind, name, outcome }, seconds),
    eventStoreHead: (position) => head(async () => [[{ service }, await position()]]),
    projections(all) {
      const each = (value: (state: ProjectionState) => number) => async () =>
        (await all()).map((state) => [{ service, projection: state.projection }, value(state)] as const);
      projections(each(({ behind }) => behind));
      ages(each(({ seconds }) => seconds));
      stopped(each(({ isStopped }) => (isStopped ? 1 : 0)));
      parked(each((state) => state.parked));
    },
    relayLag(lag) {
      relay(async () => [[{ service }, (await lag()).behind]]);
      relayAge(async () => [[{ service }, (await lag()).seconds]]);
    },
    consumers: (all) =>
      consumers(async () =>
        (await all()).flatMap(({ group, lag }) =>
          lag.map(({ topic, partition, behind }) => [{ service, group, topic, partition: String(partition) }, behind] as const),
        ),
      ),
    deadLetters: (group, count) => setAside(async () => [[{ service, group }, await count()]]),
    repliesOwed: (count) => unwritten(async () => [[{ service }, await count()]]),
    objectStore: (isUp) => objectStore(async () => [[{ service }, (await isUp()) ? 1 : 0]]),
    webhooks(all) {
      const each = (value: (lag: WebhookLag) => number) => async () =>
        (await all()).map((lag) => [{ service, webhook: lag.webhook }, value(lag)] as const);
      webhookAges(each(({ seconds }) => seconds));
      webhookPending(each(({ pending }) => pending));
      webhookDead(each(({ dead }) => dead));
    },
    guardrail: (policy, stage, action) => guardrails.inc({ service, policy, stage, action }),
    mail: (outcome) => mails.inc({ service, outcome }),
    breaker: (name, state) =>
      breakers(async () => {
        const now = state();
        return now === null ? [] : [[{ service, breaker: name }, breakerStates[now]]];
      }),
  });
}
