import type { IncomingMessage, ServerResponse } from 'node:http';

/** Responses to requests with `Expect: 100-continue` that have not been sent 100 yet, and whether their connections are kept alive. */
const expecting = new WeakMap<IncomingMessage, { readonly res: ServerResponse; readonly keepAlive: boolean }>();

/** Delays `100 Continue` until the body is needed. A request that is refused before that is the last one on its connection. */
export function holdExpectation(req: IncomingMessage, res: ServerResponse): void {
  expecting.set(req, { res, keepAlive: res.shouldKeepAlive });
  res.shouldKeepAlive = false;
}

/** Sends `100 Continue` if the client waits for it. */
export function sendContinue(req: IncomingMessage): void {
  const waiting = expecting.get(req);
  if (!waiting) return;
  expecting.delete(req);
  waiting.res.shouldKeepAlive = waiting.keepAlive;
  waiting.res.writeContinue();
}

/** True until `sendContinue` was called. */
export const isExpecting = (req: IncomingMessage): boolean => expecting.has(req);
