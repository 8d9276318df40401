import type { CloudEvent } from './broker.ts';

/**
 * The name that a policy passes as `once` to `EventStore.append`, so that each event has the effect of each handler only once. It contains
 * the handler's name, because several policies may react to the same event.
 */
export function onceName(handler: string, event: CloudEvent): string {
  return `${handler} ${event.source} ${event.id}`;
}
