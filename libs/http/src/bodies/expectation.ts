import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers of requests that say `Expect: 100-continue` and were not told to go on yet, and whether their connections were to be kept. */
const expecting = new WeakMap<IncomingMessage, { readonly res: ServerResponse; readonly keepAlive: boolean }>();

/** A request that asks whether to go on is told so when its body is wanted. One that is refused before is not, and is the last on its connection. */
export function holdExpectation(req: IncomingMessage, res: ServerResponse): void {
  expecting.set(req, { res, keepAlive: res.shouldKeepAlive });
  res.shouldKeepAlive = false;
}

/** Sends `100 Continue`, if the client waits for it. */
export function tellToGoOn(req: IncomingMessage): void {
  const asked = expecting.get(req);
  if (!asked) return;
  expecting.delete(req);
  asked.res.shouldKeepAlive = asked.keepAlive;
  asked.res.writeContinue();
}

/** True until `tellToGoOn` was called. */
export const isExpecting = (req: IncomingMessage): boolean => expecting.has(req);
