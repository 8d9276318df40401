import { type DynamicModule, Module } from '@nestjs/common';
import { MasterKey } from '@parlance/privacy';
import { Config } from '@parlance/config';
import { DocumentModule } from '@parlance/openapi';
import { CallerStatements, PageTokens } from '@parlance/http';
import { HealthModule, ModelCalls, Readiness, ShutdownPlan, Tracing } from '@parlance/observability';
import { CallsModule } from './calls.module.ts';
import { CredentialsController } from '../credentials.controller.ts';
import { Clock } from '../clock.ts';
import type { Host } from '../process/host.ts';
import { Timers } from '../timers.ts';

/** The version of the API in the OpenAPI and AsyncAPI documents. */
export const VERSION = '0.3.0';

/** A service's logger (pino's). */
export const LOGGER = Symbol('logger');

/** The parts that the services of one process share: a `Host`. */
export const HOST = Symbol('host');

/** A service's metrics. */
export const METRICS = Symbol('metrics');

/** The `ObjectStoreHealth` of a service that stores files, or null. */
export const FILES_HEALTH = Symbol('files health');

/** A service's own name. */
export const SERVICE = Symbol('service');

/** The providers of every application, even one without storage: configuration, clock, logs, health and calls. */
@Module({})
export class CommonModule {
  static async of(host: Host, service: string): Promise<DynamicModule> {
    const log = host.logging.for(service);
    const readiness = new Readiness();
    const [tracing, metrics] = [host.traces.for(service), host.metrics.for(service)];
    const timers = new Timers(log, host.pace.timer);
    host.shutdown.stop('refuse', `${service}: readiness`, () => readiness.leave());
    host.shutdown.stop('consumers', `${service}: timers`, () => timers.stop());
    const calls = await CallsModule.of(host, service);
    const notReady = host.outages.of((message, details) => log.warn(details ?? {}, message));
    const health = HealthModule.for(readiness, (check, err) => notReady('not ready', { check, err }));
    return {
      module: CommonModule,
      global: true,
      imports: [health, DocumentModule.for({ title: service, version: VERSION }), calls],
      controllers: [CredentialsController],
      providers: [
        Clock,
        { provide: HOST, useValue: host },
        { provide: Config, useValue: host.config },
        { provide: MasterKey, useValue: host.master },
        { provide: CallerStatements, useValue: host.statements },
        { provide: PageTokens, useValue: new PageTokens(host.master.derive('page-tokens')) },
        { provide: Tracing, useValue: tracing },
        { provide: Readiness, useValue: readiness },
        { provide: Timers, useValue: timers },
        { provide: ShutdownPlan, useValue: host.shutdown },
        { provide: METRICS, useValue: metrics },
        { provide: ModelCalls, useValue: new ModelCalls(tracing, metrics) },
        { provide: LOGGER, useValue: log },
        { provide: SERVICE, useValue: service },
      ],
      exports: [
        Clock,
        HOST,
        Config,
        MasterKey,
        CallerStatements,
        PageTokens,
        Tracing,
        Readiness,
        Timers,
        ShutdownPlan,
        LOGGER,
        METRICS,
        ModelCalls,
        SERVICE,
        calls,
      ],
    };
  }
}
