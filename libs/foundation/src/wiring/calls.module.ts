import { type DynamicModule, Module } from '@nestjs/common';
import { FreshSecondFactor, LocalCalls, ServiceCalls } from '@parlance/calls';
import type { HttpTargets } from '@parlance/calls/http-targets';
import type { Host } from '../process/host.ts';

/** The addresses of the other services (`HttpTargets`); null where all services are in this process. */
export const HTTP_TARGETS = Symbol('http targets');

/** Calls between services: over HTTP if addresses are configured, otherwise within this process. */
@Module({})
export class CallsModule {
  static async of(host: Host, service: string): Promise<DynamicModule> {
    const { calls, targets } = await openCalls(host, service);
    return {
      module: CallsModule,
      providers: [
        { provide: ServiceCalls, useValue: calls },
        { provide: HTTP_TARGETS, useValue: targets },
        { provide: FreshSecondFactor, useValue: new FreshSecondFactor(calls) },
      ],
      exports: [ServiceCalls, HTTP_TARGETS, FreshSecondFactor],
    };
  }
}

export interface OpenedCalls {
  readonly calls: ServiceCalls;
  readonly targets: HttpTargets | null;
}

export async function openCalls(host: Host, service: string): Promise<OpenedCalls> {
  const signing = { statements: host.statements, self: service };
  if (Object.keys(host.config.services).length === 0) {
    return { calls: new LocalCalls(host.local, signing), targets: null };
  }
  const [{ HttpTargets }, { HttpCalls }] = await Promise.all([import('@parlance/calls/http-targets'), import('@parlance/calls/http')]);
  const targets = new HttpTargets(host.config.services);
  host.shutdown.stop('stores', `${service}: calls`, () => targets.close());
  return { calls: new HttpCalls(targets, signing), targets };
}
