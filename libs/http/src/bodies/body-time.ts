import type { IncomingMessage, Server } from 'node:http';

/** The answer 408 is sent at the limit. The connection is closed this much later, if it is still open. */
const AFTER_ANSWER_MS = 1_000;

/** Requests whose body has a time limit of its own. */
const limitedElsewhere = new WeakSet<IncomingMessage>();

/** For an accepted upload: its body may take longer than `requestTimeout`, up to `longestBody`. The caller must limit the time itself. */
export function limitBodyElsewhere(req: IncomingMessage): void {
  limitedElsewhere.add(req);
}

/**
 * Closes connections whose body is still arriving after this time. Node can do the same, but only with one limit for all requests of a
 * server.
 */
export function limitBodyTime(server: Server, millis: number): void {
  const limit = (req: IncomingMessage) => {
    const { headers } = req;
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
    const end = () => {
      if (!req.complete && !limitedElsewhere.has(req)) req.socket.destroy();
    };
    const timer = setTimeout(end, millis + AFTER_ANSWER_MS).unref();
    const clear = () => clearTimeout(timer);
    req.once('end', clear).once('close', clear);
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, limit);
}
