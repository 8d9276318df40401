import { type DoorOptions, type FileDoor, openDoor, problem } from './door.ts';

export interface RedirectingDoorOptions extends DoorOptions {
  /** The store's own address of an object, valid for a minute. */
  readonly locate: (key: string, fileName: string | undefined) => Promise<string>;
}

/** Redirects downloads to the store, which clients can reach. Uploads already have addresses of the store. Rejects if `locate` rejects. */
export function openRedirectingDoor({ locate, ...options }: RedirectingDoorOptions): FileDoor {
  return openDoor(options, async ({ method, key, fileName }) => {
    if (method !== 'GET') return problem(403, 'signature_invalid', 'The address was not signed here, or was changed.');
    // The redirect must not be cached, because it would be followed again without a check.
    const headers = { location: await locate(key, fileName), 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' };
    return { status: 302, headers, body: null };
  });
}
