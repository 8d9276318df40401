import { type DynamicModule, Module } from '@nestjs/common';
import { LocalCalls, LocalForward, ServiceCalls, ServiceForward } from '@parlance/calls';
import type { Host } from '../process/host.ts';

/** Calls between services: over HTTP if their addresses are configured, otherwise within this process. */
@Module({})
export class CallsModule {
  static async of(host: Host, service: string): Promise<DynamicModule> {
    const { calls, forward } = await openCalls(host, service);
    return {
      module: CallsModule,
      providers: [
        { provide: ServiceCalls, useValue: calls },
        { provide: ServiceForward, useValue: forward },
      ],
      exports: [ServiceCalls, ServiceForward],
    };
  }
}

async function openCalls(host: Host, service: string): Promise<{ calls: ServiceCalls; forward: ServiceForward }> {
  const signing = { statements: host.statements, self: service };
  if (Object.keys(host.config.services).length === 0) {
    return { calls: new LocalCalls(host.local, signing), forward: new LocalForward(host.local, host.statements) };
  }
  const [{ HttpTargets }, { HttpCalls }, { HttpForward }] = await Promise.all([
    import('@parlance/calls/http-targets'),
    import('@parlance/calls/http'),
    import('@parlance/calls/forward-http'),
  ]);
  const targets = new HttpTargets(host.config.services);
  host.shutdown.stop('stores', `${service}: calls`, () => targets.close());
  return { calls: new HttpCalls(targets, signing), forward: new HttpForward(targets, host.statements) };
}
