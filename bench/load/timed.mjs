import { Agent, request } from 'node:http';
import { percentile } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

/**
 * Sends `GET` requests to the process `pid`, `atOnce` at a time. Each request is timed until the last byte of its answer, which is not
 * parsed. `cpu` is the processor time per request in milliseconds, `times` contains the time of each request.
 */
export async function timedLoop({ url, pid, headers, paths, atOnce }) {
  const before = cpuMicros(pid);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const times = [];
  let [sent, wrong] = [0, 0];
  const ask = (path) =>
    new Promise((resolve) => {
      const sentAt = performance.now();
      const asking = request(url + path, { agent, headers }, (answer) => {
        answer.resume().once('end', () => {
          times.push(performance.now() - sentAt);
          resolve(answer.statusCode);
        });
      });
      asking.once('error', () => resolve(null));
      asking.end();
    });
  const connection = async () => {
    while (sent < paths.length) if ((await ask(paths[sent++])) !== 200) wrong++;
  };
  await Promise.all(Array.from({ length: atOnce }, connection));
  agent.destroy();
  const cpu = (cpuMicros(pid) - before) / paths.length / 1_000;
  return { cpu, p50: percentile(times, 0.5), p99: percentile(times, 0.99), max: Math.max(...times), wrong, times };
}
