// `node bench/profile.mjs [seconds]`: where the one process spends its time while it accepts conversations from 64 connections.
// Not a bench: the profiler itself takes a part of the time, so shares count here and not rates.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedLoop } from './load/closed.mjs';
import { message, startProduct } from './load/product.mjs';
import { LOAD, pin } from './measure/cores.mjs';
import { largest, selfTimes } from './measure/cpu-profile.mjs';

const seconds = Number(process.argv[2] ?? 8);
const directory = await mkdtemp(join(tmpdir(), 'parlance-profile-'));
pin(LOAD);
const profiles = join(directory, 'profiles');
const product = await startProduct({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }, { directory });
const marks = [];
const { perSecond } = await closedLoop({
  url: `${product.url}/conversation`,
  headers: product.headers,
  body: message,
  warmSeconds: 4,
  seconds,
  expected: 202,
  onMeasure: () => marks.push(Number(process.hrtime.bigint() / 1_000n)),
});
// An orderly end, which is when the profiles are written.
await product.stop();

const [from, to] = marks;
const threads = (await readdir(profiles)).map((file) => selfTimes(join(profiles, file), from, to)).sort((a, b) => b.busy - a.busy);
const busy = threads.reduce((sum, thread) => sum + thread.busy, 0);
console.log(
  `${perSecond.toFixed(0)} accepted per second; ${busy.toFixed(0)} ms of processor time in ${seconds} s, threads by their share:`,
);
console.log(threads.map((thread) => `${((100 * thread.busy) / busy).toFixed(1)} %`).join('  '));
const [main, ...workers] = threads;
const parts = [
  ['The first thread, by package (what the runtime does counts for who asked for it)', main.packages, main.busy, 25],
  ['The first thread, by the nearest file of ours on the stack', main.callers, main.busy, 40],
  ['The first thread, by function', main.functions, main.busy, 30],
  ['All writing threads, by function', merged(workers.map((thread) => thread.functions)), busy - main.busy, 10],
];
for (const [title, times, total, count] of parts) console.log(`\n${title}\n${largest(times, total, count).join('\n')}`);
await rm(directory, { recursive: true });

function merged(tables) {
  const sum = new Map();
  for (const times of tables) for (const [name, millis] of times) sum.set(name, (sum.get(name) ?? 0) + millis);
  return sum;
}
