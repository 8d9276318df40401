import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '@parlance/testing';
import { percentile } from '../measure/figures.mjs';
import { ask } from './product.mjs';

/** How often is asked how many are finished. Each question is work of the server's, too. */
const LOOK_MS = 50;
/** How long not one more may be finished before the rest counts as lost. */
const STILL_MS = 60_000;

/**
 * A fixed number of requests by connections that each ask again when they are answered, unless as many as `unfinished` are
 * accepted and not finished: no debt is left behind. `finished` says how many ever were. Ends when all are finished.
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
      const asked = performance.now();
      const { status } = await ask('POST', url, headers, bodies(sent++)).catch(() => ({ status: null }));
      acceptedAt = performance.now();
      times.push(acceptedAt - asked);
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
    // Nobody waits for those that are lost.
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
