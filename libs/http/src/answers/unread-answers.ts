import type { ServerResponse } from 'node:http';

/** A client that reads nothing of an answer for this long is disconnected. */
export const PATIENCE_MILLIS = 10_000;

/** Disconnects a client that reads nothing of this answer. An answer may also be idle because there is nothing to read yet. */
export function limitUnread(res: ServerResponse): void {
  // Node's timer starts again when the client has read something.
  res.setTimeout(PATIENCE_MILLIS, () => {
    if (res.writableLength > 0) res.destroy();
  });
}
