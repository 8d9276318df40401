import { Agent, request } from 'node:http';
import { percentile } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

/**
 * Sends `GET` requests to the process `pid`, `atOnce` at a time. Each request is timed until the last byte of its response, which is not
 * parsed. `cpu` is the processor time per request in milliseconds, `times` contains the time of each request, and `wrong` counts the requests
 * that failed or had a status other than 200.
 */
export async function timedLoop({ url, pid, headers, paths, atOnce }) {
  const before = cpuMicros(pid);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const times = [];
  let [sent, wrong] = [0, 0];
  const send = (path) =>
    new Promise((resolve) => {
      const sentAt = performance.now();
      const outgoing = request(url + path, { agent, headers }, (response) => {
        response.resume().once('end', () => {
          times.push(performance.now() - sentAt);
          resolve(response.statusCode);
        });
      });
      outgoing.once('error', () => resolve(null));
      outgoing.end();
    });
  const connection = async () => {
    while (sent < paths.length) if ((await send(paths[sent++])) !== 200) wrong++;
  };
  await Promise.all(Array.from({ length: atOnce }, connection));
  agent.destroy();
  const cpu = (cpuMicros(pid) - before) / paths.length / 1_000;
  return { cpu, p50: percentile(times, 0.5), p99: percentile(times, 0.99), max: Math.max(...times), wrong, times };
}
