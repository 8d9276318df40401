import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Service } from '@parlance/foundation';
import { Vault } from '@parlance/privacy';
import { InferenceModule } from '../src/inference.module.ts';

export interface Buses {
  commands: CommandBus;
  queries: QueryBus;
  vault: Vault;
}

/** The service, and its buses, so that a test can do a part of what a request does. */
export function opened(): { service: Service; buses: Buses } {
  const buses = {} as Buses;
  const grab = (commands: CommandBus, queries: QueryBus, vault: Vault) => Object.assign(buses, { commands, queries, vault });
  const module = async (host: Parameters<Service['module']>[0]) => {
    const inner = await InferenceModule.of(host);
    return { ...inner, providers: [...inner.providers!, { provide: 'buses', inject: [CommandBus, QueryBus, Vault], useFactory: grab }] };
  };
  return { service: { name: 'inference', module }, buses };
}
