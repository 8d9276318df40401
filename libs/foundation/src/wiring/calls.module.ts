import { type DynamicModule, Module } from '@nestjs/common';
import { LocalCalls, LocalForward, ServiceCalls, ServiceForward } from '@parlance/calls';
import type { HttpTargets } from '@parlance/calls/http-targets';
import type { Host } from '../process/host.ts';

/** The addresses of the other services (`HttpTargets`); null where all services are in this process. */
export const HTTP_TARGETS = Symbol('http targets');

/** Calls between services: over HTTP to the addresses that are named, else within this process. */
@Module({})
export class CallsModule {
  static async of(host: Host, service: string): Promise<DynamicModule> {
    const { calls, forward, targets } = await openCalls(host, service);
    return {
      module: CallsModule,
      providers: [
        { provide: ServiceCalls, useValue: calls },
        { provide: ServiceForward, useValue: forward },
        { provide: HTTP_TARGETS, useValue: targets },
      ],
      exports: [ServiceCalls, ServiceForward, HTTP_TARGETS],
    };
  }
}

interface OpenedCalls {
  readonly calls: ServiceCalls;
  readonly forward: ServiceForward;
  readonly targets: HttpTargets | null;
}

async function openCalls(host: Host, service: string): Promise<OpenedCalls> {
  const signing = { statements: host.statements, self: service };
  if (Object.keys(host.config.services).length === 0) {
    return { calls: new LocalCalls(host.local, signing), forward: new LocalForward(host.local, host.statements), targets: null };
  }
  const [{ HttpTargets }, { HttpCalls }, { HttpForward }] = await Promise.all([
    import('@parlance/calls/http-targets'),
    import('@parlance/calls/http'),
    import('@parlance/calls/forward-http'),
  ]);
  const targets = new HttpTargets(host.config.services);
  host.shutdown.stop('stores', `${service}: calls`, () => targets.close());
  return { calls: new HttpCalls(targets, signing), forward: new HttpForward(targets, host.statements), targets };
}
