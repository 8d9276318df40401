import type { CloudEvent } from './broker.ts';

/**
 * What a policy gives as `once` to `EventStore.append`: the effect of one handler on one event, whatever is delivered again.
 * The handler's name is part of it, since several policies may answer one event, each with an append of its own.
 */
export function onceName(handler: string, event: CloudEvent): string {
  return `${handler} ${event.source} ${event.id}`;
}
