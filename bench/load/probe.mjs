import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './product.mjs';

/** Asks whether a server lives, a millisecond after the last answer, until it is stopped: the waits tell how long its event loop stood still. */
export function probe(url) {
  const waits = [];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      const asked = performance.now();
      await ask('GET', `${url}/health/live`, {});
      waits.push(performance.now() - asked);
      await pause(1);
    }
  })();
  return async () => {
    over.abort();
    await asking;
    return waits;
  };
}
