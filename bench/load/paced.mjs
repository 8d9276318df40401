import { Agent, request } from 'node:http';
import { unpinned } from '../measure/cores.mjs';
import { percentile } from '../measure/figures.mjs';

/**
 * Sends requests at an even pace, without waiting for answers, to measure the latency below saturation. A time starts when its request
 * was due, so that it includes stalls of the server or the client. Autocannon's rate is not even: each of its connections sends the
 * requests of a second at once when the second starts.
 */
export async function pacedLoop({ url, headers, body, perSecond, warmSeconds, seconds, expected, onMeasure = () => undefined }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const payload = Buffer.from(body);
  const options = { method: 'POST', agent, headers: { ...headers, 'content-length': payload.length } };
  const total = (warmSeconds + seconds) * perSecond;
  const firstMeasured = warmSeconds * perSecond;
  const times = [];
  let [right, wrong, answered, sent] = [0, 0, 0, 0];
  const all = Promise.withResolvers();
  const start = performance.now();

  const ask = (index) => {
    const due = start + (index * 1_000) / perSecond;
    if (index === firstMeasured) onMeasure();
    const done = (isRight) => {
      if (isRight) right++;
      else wrong++;
      if (index >= firstMeasured) times.push(performance.now() - due);
      if (++answered === total) all.resolve();
    };
    const asking = request(url, options, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode === expected));
    });
    asking.once('error', () => done(false));
    asking.end(payload);
  };

  const tick = () => {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000) + 1);
    while (sent < due) ask(sent++);
    if (sent === total) return;
    // On its own core, the loop keeps the pace to the microsecond. A timer keeps it only to the millisecond.
    if (unpinned) setTimeout(tick, 1);
    else setImmediate(tick);
  };
  tick();
  await all.promise;
  onMeasure();
  agent.destroy();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), measured: times.length, right, wrong, sent: total };
}
