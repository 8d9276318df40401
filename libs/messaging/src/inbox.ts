import type { CloudEvent } from './broker.ts';

/**
 * The name that a policy passes as `once` to `EventStore.append`, so that one handler has its effect of one event only once. It contains
 * the handler's name, because several policies may append because of one event.
 */
export function onceName(handler: string, event: CloudEvent): string {
  return `${handler} ${event.source} ${event.id}`;
}
