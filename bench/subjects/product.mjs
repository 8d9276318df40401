// Runs the product in this process. Reports its address, and on request the longest block of its event loop.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadConfig } from '@parlance/config';
import { startAll } from '../../apps/parlance/dist/start.js';

const settings = JSON.parse(process.argv[2] ?? '{}');
const directory = settings.PARLANCE_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'parlance-bench-')));
const env = { PARLANCE_LOG_LEVEL: 'warn', PARLANCE_GUIDE_BOT: 'false', PARLANCE_PORT: '0', ...settings, PARLANCE_DATA_DIR: directory };
const { url, host } = await startAll(loadConfig({ argv: [], env, cwd: directory }), false);
/** Measures the time between two ticks, which is a millisecond if nothing blocks the loop. */
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let own = 0;
let watch;
/** The longest processor time of this thread between two ticks. Unlike elapsed time, it is valid on a busy machine too. */
function watchOwn() {
  let last = process.threadCpuUsage();
  return setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    own = Math.max(own, (user + system) / 1_000);
    last = process.threadCpuUsage();
  }, 1);
}
process.on('message', (command) => {
  process.send({ longest: delay.max / 1e6, p99: delay.percentile(99) / 1e6, own });
  delay.reset();
  own = 0;
  if (command === 'own') watch ??= watchOwn();
});
process.on('disconnect', () => void host.shutdown.run().then(() => process.exit()));
process.send({ url, directory });
