import { type DynamicModule, Module } from '@nestjs/common';
import { ServiceForward } from '../calls/forward.ts';
import { LocalForward } from '../calls/forward-in-process.ts';
import { LocalCalls } from '../calls/in-process.ts';
import { ServiceCalls } from '../calls/service-calls.ts';
import type { Host } from './host.ts';

/** Calls between services: over HTTP to the addresses that are named, else within this process. */
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
    import('../calls/http-targets.ts'),
    import('../calls/http.ts'),
    import('../calls/forward-http.ts'),
  ]);
  const targets = new HttpTargets(host.config.services);
  host.shutdown.stop('stores', `${service}: calls`, () => targets.close());
  return { calls: new HttpCalls(targets, signing), forward: new HttpForward(targets, host.statements) };
}
