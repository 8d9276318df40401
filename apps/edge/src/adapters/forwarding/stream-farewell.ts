import type { ServerResponse } from 'node:http';

/** How long a client has to read why its stream ends. */
const FAREWELL_MILLIS = 1_000;

/** Ends a stream of events with a last event, without waiting for a client that does not read. Any other answer breaks off. */
export function endWith(res: ServerResponse, event: string | null): void {
  if (event === null || !isEventStream(res) || res.writableNeedDrain) return void res.destroy();
  const timer = setTimeout(() => res.destroy(), FAREWELL_MILLIS).unref();
  // An empty line ends what was sent before.
  res.write(`\n\n${event}\n\n`, () => {
    clearTimeout(timer);
    res.destroy();
  });
  // Nothing that the service still writes follows the event.
  res.write = () => false;
}

/** Node's text of the head. Headers that were passed to `writeHead` are usually nowhere else. */
function headOf(res: ServerResponse): string {
  const { _header: head } = res as unknown as { readonly _header: string | null };
  return head ?? '';
}

const isEventStream = (res: ServerResponse): boolean => !res.writableEnded && /^content-type: text\/event-stream/im.test(headOf(res));

const lastEvents = new WeakMap<ServerResponse, () => string>();

/** Sets the event with which a stream ends whose service was lost. Without it, the connection breaks off, and the client resumes the stream. */
export const setLastEvent = (res: ServerResponse, event: () => string): void => void lastEvents.set(res, event);

/** Ends an answer whose service was lost. */
export const breakOff = (res: ServerResponse): void => endWith(res, lastEvents.get(res)?.() ?? null);
