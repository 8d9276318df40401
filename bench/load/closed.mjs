import autocannon from 'autocannon';
import { percentile } from '../measure/figures.mjs';

/** Seconds that the last answers may take. */
const LAST_ANSWERS = 10;

/**
 * Measures the throughput of a server: each connection sends its next request after an answer. The measurement starts after a warm-up.
 * `onMeasure` is called when it starts and when it ends.
 */
export function closedLoop({
  method = 'POST',
  url,
  headers,
  body,
  connections = 64,
  warmSeconds,
  seconds,
  expected,
  onMeasure = () => undefined,
}) {
  return new Promise((resolve, reject) => {
    const times = [];
    const statuses = new Map();
    let measuring = false;
    let [start, end] = [0, 0];
    const clients = [];
    const setupClient = (client) => clients.push(client);
    const options = { url, method, headers, body, connections, setupClient, duration: warmSeconds + seconds + LAST_ANSWERS };
    const load = autocannon(options, (error, result) => {
      clearTimeout(warm);
      if (error) return reject(error);
      const sent = result.requests.sent;
      const elapsed = (end - start) / 1_000;
      const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
      const right = statuses.get(expected) ?? 0;
      resolve({
        perSecond: times.length / elapsed,
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        measured: times.length,
        right,
        wrong: all - right + result.errors,
        sent,
      });
    });
    load.on('response', (_client, status, _bytes, millis) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (measuring) times.push(millis);
    });
    const warm = setTimeout(() => {
      measuring = true;
      start = performance.now();
      onMeasure();
      setTimeout(() => {
        measuring = false;
        end = performance.now();
        onMeasure();
        // Autocannon would close its connections. Here each receives its last answer, so that every request has a known outcome.
        for (const client of clients) client.responseMax = client.reqsMade;
      }, seconds * 1_000);
    }, warmSeconds * 1_000);
  });
}
