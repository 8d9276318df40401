// `node bench/counts.mjs [messages]`: what the one process does for a message, until its charge is in the figures: SQL statements, changed rows, syncs,
// bytes of JSON, sealings, and bytes written. Counts need no quiet machine, apart from writes that share a group by chance.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finishedIn, messages } from './load/messages.mjs';
import { ask, messageIn, startProduct } from './load/product.mjs';
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
console.table(table);
await product.stop();
await rm(directory, { recursive: true });
