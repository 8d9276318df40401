// `node bench/profile.mjs [messages]`: shows where the single process spends its processor time on messages, from the request to the
// figures. Not a bench: the profiler takes time too, so only the shares are meaningful. Times are the kernel's count (schedstat) of a
// thread's time on a processor, without waits.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messages } from './load/messages.mjs';
import { startProduct } from './load/product.mjs';
import { LOAD, pin } from './measure/cores.mjs';
import { largest, selfTimes } from './measure/cpu-profile.mjs';
import { onCpu } from './measure/process.mjs';

const count = Number(process.argv[2] ?? 5_000);
const directory = await mkdtemp(join(tmpdir(), 'parlance-profile-'));
pin(LOAD);
const profiles = join(directory, 'profiles');
const product = await startProduct({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }, { directory });
await messages(product, 2_000);
const mark = () => ({ now: Number(process.hrtime.bigint() / 1_000n), threads: onCpu(product.pid) });
const from = mark();
const { finished, finishedPerSecond } = await messages(product, count);
const to = mark();
// A graceful stop, because Node writes the profiles then.
await product.stop();

const before = new Map(from.threads.map(({ thread, millis }) => [thread, millis]));
const threads = to.threads.map(({ thread, name, millis }) => ({ thread, name, millis: millis - (before.get(thread) ?? 0) }));
const all = threads.reduce((sum, { millis }) => sum + millis, 0);
const byName = new Map();
for (const { name, millis } of threads) byName.set(name, (byName.get(name) ?? 0) + millis);
console.log(
  `${finishedPerSecond.toFixed(0)} messages finished per second, ${((1_000 * all) / finished).toFixed(0)} µs of processor time for each`,
);

const { pid } = product;
const first = threads.find(({ thread }) => thread === pid).millis;
// The first thread's profile is the one whose name ends with thread 0.
const file = (await readdir(profiles)).find((name) => name.split('.').at(-3) === '0');
const main = selfTimes(join(profiles, file), from.now, to.now, first);
const parts = [
  ['By thread', byName, all, 10],
  ['The first thread, by package (work of the runtime counts for its caller)', main.packages, first, 25],
  ['The first thread, by the nearest file of ours on the stack', main.callers, first, 40],
  ['The first thread, by function', main.functions, first, 30],
];
for (const [title, times, total, length] of parts) console.log(`\n${title}\n${largest(times, total, length).join('\n')}`);
await rm(directory, { recursive: true });
