import type { Type } from '@nestjs/common';
import { aggregate, singleAggregate } from './aggregate.ts';
import { commandWith } from './command.ts';
import type { WithHandler } from './handler.ts';
import { query, queryWith } from './query.ts';

/**
 * Declares the commands and queries of a service, in its `src/bus.ts`. A declaration also registers the handler, so none can be forgotten:
 * `startService` provides `handlers()`, which the service names in its `src/service.ts`.
 */
export function serviceBus(service: string) {
  const declared: Type[] = [];
  let isProvided = false;
  const registering = <Declare extends (name: string, ...rest: never[]) => WithHandler>(declare: Declare): Declare =>
    ((name: string, ...rest: never[]) => {
      if (isProvided) throw new Error(`${service} declares ${name} after its handlers were provided, so it must be imported earlier`);
      const message = declare(name, ...rest);
      declared.push(message.handler);
      return message;
    }) as Declare;
  return {
    aggregate: registering(aggregate),
    singleAggregate: registering(singleAggregate),
    commandWith: registering(commandWith),
    query: registering(query),
    queryWith: registering(queryWith),
    /** The providers that handle all commands and queries of the service. */
    handlers(): readonly Type[] {
      isProvided = true;
      return declared;
    },
  };
}
