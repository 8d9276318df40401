import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '@parlance/testing';
import { percentile } from '../measure/figures.mjs';
import { ask } from './product.mjs';

/** The interval between queries of the number of finished requests. Each query is work for the server, too. */
const LOOK_MS = 50;
/** After this time without another finished request, the rest counts as lost. */
const STILL_MS = 60_000;

/**
 * Sends a fixed number of requests. Each connection sends the next one after an answer, unless `unfinished` requests are accepted and
 * not finished. `finished` returns the number finished so far. Ends when all are finished.
 */
export async function boundedLoop({ url, headers, bodies, total, connections, unfinished, finished, expected }) {
  const times = [];
  const before = await finished();
  let [sent, right, done, answered] = [0, 0, 0, 0];
  let look = Promise.withResolvers();
  const start = performance.now();
  let [acceptedAt, finishedAt] = [start, start];

  const connection = async () => {
    while (sent < total) {
      if (sent - (answered - right) - done >= unfinished) {
        await look.promise;
        continue;
      }
      const sentAt = performance.now();
      const { status } = await ask('POST', url, headers, bodies(sent++)).catch(() => ({ status: null }));
      acceptedAt = performance.now();
      times.push(acceptedAt - sentAt);
      answered++;
      if (status === expected) right++;
    }
  };
  const watch = async () => {
    const isOpen = () => answered < total || done < right;
    for (let grown = start; isOpen(); await pause(LOOK_MS)) {
      const now = (await finished()) - before;
      if (now > done) grown = finishedAt = performance.now();
      done = now;
      if (performance.now() - grown > patience(STILL_MS)) break;
      look.resolve();
      look = Promise.withResolvers();
    }
    // The bench does not wait for lost requests.
    unfinished = Infinity;
    look.resolve();
  };
  await Promise.all([watch(), ...Array.from({ length: connections }, connection)]);
  return {
    total,
    right,
    finished: done,
    acceptedPerSecond: right / ((acceptedAt - start) / 1_000),
    finishedPerSecond: done / ((finishedAt - start) / 1_000),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}
