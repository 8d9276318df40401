import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './product.mjs';

/** Requests `/health/live` a millisecond after each answer, until stopped. The longest answer shows how long the event loop was blocked. */
export function probe(url) {
  const waits = [];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      const sentAt = performance.now();
      await ask('GET', `${url}/health/live`, {});
      waits.push(performance.now() - sentAt);
      await pause(1);
    }
  })();
  return async () => {
    over.abort();
    await asking;
    return waits;
  };
}
