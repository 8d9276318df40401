import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Service } from '@parlance/foundation';
import { Vault } from '@parlance/privacy';
import { Toolbox } from '../src/adapters/tools/toolbox.ts';
import { InferenceModule } from '../src/inference.module.ts';
import { LiveReplies } from '../src/workflows/live-replies.ts';

export interface Buses {
  commands: CommandBus;
  queries: QueryBus;
  vault: Vault;
  toolbox: Toolbox;
  live: LiveReplies;
}

/** The service, and its buses, so that a test can do a part of what a request does. */
export function opened(): { service: Service; buses: Buses } {
  const buses = {} as Buses;
  const grab = (commands: CommandBus, queries: QueryBus, vault: Vault, toolbox: Toolbox, live: LiveReplies) =>
    Object.assign(buses, { commands, queries, vault, toolbox, live });
  const inject = [CommandBus, QueryBus, Vault, Toolbox, LiveReplies];
  const module = async (host: Parameters<Service['module']>[0]) => {
    const inner = await InferenceModule.of(host);
    return { ...inner, providers: [...inner.providers!, { provide: 'buses', inject, useFactory: grab }] };
  };
  return { service: { name: 'inference', module }, buses };
}
