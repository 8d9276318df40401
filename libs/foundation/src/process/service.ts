import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { connectBroker } from '@parlance/messaging';
import type { FastifyInstance } from 'fastify';
import { createHttpApplication, type HttpApplicationOptions } from '@parlance/http';
import { NestLogger, observeHttp, Tracing } from '@parlance/observability';
import { handlingOf } from '../handling.ts';
import type { Host } from './host.ts';
import { Lifecycle } from './lifecycle.ts';

/** A service, as the one process and its own main.ts start it. */
export interface Service {
  readonly name: string;
  module(host: Host): Promise<DynamicModule>;
  /** Where it differs from the others as an HTTP server. */
  http?(host: Host): Partial<HttpApplicationOptions>;
  /** What it adds to its server before that takes requests. */
  install?(app: NestFastifyApplication, instance: FastifyInstance): void;
  /** What the operator who starts it must be told, once; null when there is nothing. Not for the logs. */
  announce?(app: NestFastifyApplication): string | null;
}

export interface Started {
  readonly app: NestFastifyApplication;
  readonly instance: FastifyInstance;
}

/** Makes a service's application without starting anything of it: for callers that need a part of it alone. */
export async function prepareService(service: Service, host: Host): Promise<Started> {
  const log = host.logging.for(service.name);
  const app = await createHttpApplication(await service.module(host), {
    statements: host.statements,
    logger: new NestLogger(log),
    ...service.http?.(host),
  });
  return { app, instance: app.getHttpAdapter().getInstance() as unknown as FastifyInstance };
}

/** Brings a service up to where it answers, in this process; a caller that wants it on a port of its own listens afterwards. */
export async function startService(service: Service, host: Host): Promise<Started> {
  const { app, instance } = await prepareService(service, host);
  const tracing = app.get(Tracing);
  observeHttp(instance, { logger: host.logging.for(service.name), metrics: host.metrics.for(service.name), tracing });
  service.install?.(app, instance);
  host.shutdown.stop('drain', `${service.name}: server`, () => instance.close());
  const consumers = connectBroker(app, { broker: host.broker, group: service.name, around: handlingOf(tracing) });
  host.shutdown.stop('consumers', `${service.name}: consumers`, () => consumers.close());
  await app.init();
  await host.local.enter(service.name, instance);
  await app.get(Lifecycle).join(() => app.startAllMicroservices());
  return { app, instance };
}
