import type { CloudEvent } from '@parlance/messaging';

/**
 * An event as it leaves the installation. The address and the user agent of the caller stay inside: where the caller is unknown, they are
 * not sealed.
 */
export function payloadOf({ actorip: _, actoragent: __, ...event }: CloudEvent): Omit<CloudEvent, 'actorip' | 'actoragent'> {
  return event;
}
