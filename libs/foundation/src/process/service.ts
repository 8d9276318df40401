import { setTimeout as delay } from 'node:timers/promises';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { publicEvents } from '@parlance/contracts';
import { connectBroker, NewerEvents } from '@parlance/messaging';
import type { FastifyInstance } from 'fastify';
import { createHttpApplication, type HttpApplicationOptions } from '@parlance/http';
import type { ObjectNames } from '@parlance/object-store';
import { NestLogger, observeHttp, Tracing } from '@parlance/observability';
import { handlingOf } from '../publishing/handling.ts';
import { type Schedule, startSchedule } from '../schedule.ts';
import type { Host } from './host.ts';

/** A service. Its own main.ts starts it, or the single process starts it together with the others. */
export interface Service {
  readonly name: string;
  module(host: Host): Promise<DynamicModule>;
  /** The providers that handle all commands and queries of the service, from its `serviceBus`. They are added to its module. */
  handlers(): readonly Type[];
  /** What it repeats at intervals. */
  readonly schedule?: Schedule;
  /** Options of its HTTP server that differ from the defaults. */
  http?(host: Host): Partial<HttpApplicationOptions>;
  /** Extends the server before it accepts requests. */
  install?(app: NestFastifyApplication, instance: FastifyInstance): void;
  /** The objects that its events name. Backups must have them. */
  readonly namedObjects?: ObjectNames;
  /** A message shown once to the operator at the start, and never logged; null if there is none. */
  announce?(app: NestFastifyApplication): string | null;
}

export interface Started {
  readonly app: NestFastifyApplication;
  readonly instance: FastifyInstance;
}

/** Creates a service's application without starting it, for callers that need only a part of it. */
export async function prepareService(service: Service, host: Host): Promise<Started> {
  const log = host.logging.for(service.name);
  const module = await service.module(host);
  const providers = [...(module.providers ?? []), ...service.handlers()];
  const app = await createHttpApplication(
    { ...module, providers },
    {
      statements: host.statements,
      logger: new NestLogger(log),
      ...service.http?.(host),
    },
  );
  return { app, instance: app.getHttpAdapter().getInstance() as unknown as FastifyInstance };
}

/** Starts a service in this process. To serve it on its own port, call `listen` afterwards. */
export async function startService(service: Service, host: Host): Promise<Started> {
  const { app, instance } = await prepareService(service, host);
  const tracing = app.get(Tracing);
  const log = host.logging.for(service.name);
  observeHttp(instance, { logger: log, metrics: host.metrics.for(service.name), tracing });
  service.install?.(app, instance);
  host.shutdown.stop('refuse', `${service.name}: connections`, () => instance.leave());
  if (Object.keys(host.config.services).length > 0)
    host.shutdown.stop('notice', `${service.name}: notice`, () => delay(1_000 * host.config.shutdownNoticeSeconds));
  host.shutdown.stop('drain', `${service.name}: server`, () => instance.close());
  const consumers = connectBroker(app, {
    broker: host.broker,
    group: service.name,
    around: handlingOf(
      tracing,
      host.outages.of((message, details) => log.warn(details, message)),
    ),
    newer: newerEvents(host.config.kafkaBrokers.length > 0),
  });
  host.shutdown.stop('consumers', `${service.name}: consumers`, () => consumers.close());
  await app.init();
  startSchedule(service.name, service.schedule ?? [], app);
  await host.local.enter(service.name, instance);
  await app.startAllMicroservices();
  return { app, instance };
}

/**
 * With replicas, a newer replica may soon handle an unknown event. A single process meets unknown events only after a rollback, so it sets them
 * aside at once.
 */
function newerEvents(hasReplicas: boolean): NewerEvents {
  const known = new Set(publicEvents.map(({ type }) => type));
  return new NewerEvents((type) => known.has(type), hasReplicas ? undefined : 0);
}
