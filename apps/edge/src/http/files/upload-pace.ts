import type { IncomingMessage } from 'node:http';

export interface UploadLimits {
  /** Milliseconds of each period in which at least `bytes` must arrive. */
  readonly period: number;
  readonly bytes: number;
  /** Milliseconds that a complete upload may take. */
  readonly longest: number;
}

/** A slow mobile connection is ten times faster than this. The longest time is the lifetime of the upload addresses that bots issues. */
export const UPLOAD_LIMITS: UploadLimits = { period: 30_000, bytes: 64 * 1024, longest: 3_600_000 };

/** Calls `onSlow` once when an upload is too slow or takes too long. Stops when the request has arrived or its connection is closed. */
export function watchPace(req: IncomingMessage, { period, bytes, longest }: UploadLimits, onSlow: () => void): void {
  const { socket } = req;
  const begun = performance.now();
  let before = socket.bytesRead;
  const look = () => {
    if (req.complete) return stop();
    const arrived = socket.bytesRead - before;
    before = socket.bytesRead;
    if (arrived >= bytes && performance.now() - begun < longest) return;
    stop();
    onSlow();
  };
  const timer = setInterval(look, period).unref();
  const stop = () => clearInterval(timer);
  req.once('end', stop).once('close', stop);
}
