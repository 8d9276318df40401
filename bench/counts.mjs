// `node bench/counts.mjs [messages]`: what the single process does in a second without requests, and for a message, until its charge is in the figures: SQL statements, changed rows, syncs,
// bytes of JSON, sealings, promises, and bytes written. Counts need no quiet machine, apart from writes that share a group by chance.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { finishedIn, messages } from './load/messages.mjs';
import { ask, messageIn, startProduct } from './load/product.mjs';
import { cpuMicros } from './measure/process.mjs';
import { counting, takeCounts } from './measure/work-counts.mjs';

const count = Number(process.argv[2] ?? 500);
const directory = await mkdtemp(join(tmpdir(), 'parlance-counts-'));
const file = join(directory, 'counts.json');
const product = await startProduct(counting(file), { directory });
const { url, headers, pid } = product;

let conversation;
const followUps = async (total) => {
  for (let sent = 0; sent < total; sent++) {
    const { body } = await ask('POST', `${url}/conversation`, { ...headers, prefer: 'wait=30' }, messageIn(conversation));
    conversation ??= body.conversation_id;
  }
  await finishedIn(product);
};
const scenarios = [
  ['a follow-up, one at a time', 30, followUps],
  ['a first message, 64 connections', count, (total) => messages(product, total)],
];
const table = {};
for (const [name, total, work] of scenarios) {
  await work(Math.min(total, 200));
  await takeCounts(pid, file);
  await work(total);
  const counts = await takeCounts(pid, file);
  table[name] = Object.fromEntries(Object.entries(counts).map(([what, number]) => [what, number && Number((number / total).toFixed(2))]));
}
const IDLE_SECONDS = 20;
await pause(10_000);
await takeCounts(pid, file);
const before = cpuMicros(pid);
await pause(IDLE_SECONDS * 1_000);
const micros = cpuMicros(pid) - before;
const idle = Object.entries(await takeCounts(pid, file)).map(([what, number]) => [
  what,
  number && Number((number / IDLE_SECONDS).toFixed(2)),
]);
table['a second without requests'] = { ...Object.fromEntries(idle), cpuMillis: Number((micros / 1_000 / IDLE_SECONDS).toFixed(2)) };
console.table(table);
await product.stop();
await rm(directory, { recursive: true });
