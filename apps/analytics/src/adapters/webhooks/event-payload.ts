import type { CloudEvent } from '@parlance/messaging';

/**
 * An event as it leaves the installation. The caller's IP address and user agent are left out: they are not sealed if the caller is
 * unknown.
 */
export function payloadOf({ actorip: _, actoragent: __, ...event }: CloudEvent): Omit<CloudEvent, 'actorip' | 'actoragent'> {
  return event;
}
