// Fills a log with accounts that are opened and renamed, and builds raised versions of their projection: alone, during commands, and from
// events of a megabyte.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { patch, projection, Projector, put, table } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { metadata } from './writers.mjs';

const [events] = process.argv.slice(2).map(Number);
const EVENTS_OF_AN_ACCOUNT = 3;
const accounts = events / EVENTS_OF_AN_ACCOUNT;
const WRITERS = 512;
const COMMANDS_PER_SECOND = 500;
const LARGE_EVENTS = 100;
const LARGE_BYTES = 1024 * 1024;

const rows = table('accounts', { byOwner: ['owner'] });
const people = (version) =>
  projection({
    name: 'accounts',
    version,
    tables: [rows],
    on: {
      Opened: ({ owner, text }, { stream, metadata: { at } }) => [put(rows, stream, { owner, opened_at: at, renamed: 0, text })],
      Renamed: ({ owner, times }, { stream }) => [patch(rows, stream, { owner, renamed: times })],
    },
  });

const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
process.on('disconnect', () => process.exit());
const file = await openSqliteFile(join(directory, 'service.db'));
const models = await openSqliteReadModels(file);
const store = await openSqliteEventStore(file, { beside: models.besideAppend([people(1)]) });
const open = (stream, owner, text) =>
  store.append({ stream, expected: 0, events: [{ type: 'Opened', owner, ...(text && { text }) }], metadata });

// All accounts open before the first is renamed, because nearby events of one account would be combined into one write.
for (let version = 0; version < EVENTS_OF_AN_ACCOUNT; version++) {
  const write = async (_, writer) => {
    for (let account = writer; account < accounts; account += WRITERS) {
      const owner = version === 0 ? `Owner ${account}` : `Owner ${account}, renamed`;
      const event = version === 0 ? { type: 'Opened', owner } : { type: 'Renamed', owner, times: version };
      await store.append({ stream: `account-${account}`, expected: version, events: [event], metadata });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

const start = performance.now();
for (let position = 0; position < events;) position = (await store.readAll(position, 500)).at(-1).position;
const scanRate = events / ((performance.now() - start) / 1_000);

/** Builds the rows of a version. Returns the rate of events, and the load of the thread meanwhile. */
async function build(version, own) {
  const begin = Math.max(1, await store.head());
  const projector = new Projector({ store, models: own, projections: [people(version)] });
  const blocked = monitorEventLoopDelay({ resolution: 1 });
  const cpu = process.cpuUsage();
  blocked.enable();
  const from = performance.now();
  await projector.start();
  while (projector.ready().length > 0) await delay(2);
  const seconds = (performance.now() - from) / 1_000;
  blocked.disable();
  const { user, system } = process.cpuUsage(cpu);
  return { projector, rate: begin / seconds, blockedMs: blocked.max / 1e6, cpuMicros: (user + system) / begin };
}

const alone = await build(1, models);

/** Sends commands at an even pace, like clients during normal operation. */
const load = { isOver: false, latencies: [] };
const commands = (async () => {
  const begin = performance.now();
  for (let number = 0; !load.isOver; number++) {
    const due = begin + (number * 1_000) / COMMANDS_PER_SECOND;
    if (due > performance.now()) await delay(due - performance.now());
    void open(`during-${number}`, `Owner ${number}`).then(() => load.latencies.push(performance.now() - due));
  }
})();
const besideCommands = await build(2, await openSqliteReadModels(file));
load.isOver = true;
await commands;
const { rows: compared, differing } = await besideCommands.projector.verify('accounts');
const head = await store.head();

/** Rebuilds the rows while the existing rows serve queries. */
async function rebuild(projector) {
  const commits = await store.head();
  const blocked = monitorEventLoopDelay({ resolution: 1 });
  blocked.enable();
  const from = performance.now();
  await projector.rebuild('accounts');
  const seconds = (performance.now() - from) / 1_000;
  blocked.disable();
  return { rate: commits / seconds, blockedMs: blocked.max / 1e6, ...(await projector.verify('accounts')) };
}
const rebuilt = await rebuild(besideCommands.projector);

for (let number = 0; number < LARGE_EVENTS; number++) await open(`large-${number}`, 'Large', 'x'.repeat(LARGE_BYTES));
const large = await build(3, await openSqliteReadModels(file));

for (const { projector } of [alone, besideCommands, large]) await projector.stop();
await store.close();
await file.close();
await rm(directory, { recursive: true });
load.latencies.sort((a, b) => a - b);
const figures = ({ rate, blockedMs, cpuMicros }) => ({ rate, blockedMs, cpuMicros });
process.send(
  {
    scanRate,
    alone: figures(alone),
    besideCommands: {
      ...figures(besideCommands),
      commands: load.latencies.length,
      p99: load.latencies[Math.floor(load.latencies.length * 0.99)],
    },
    large: figures(large),
    rebuilt,
    head,
    accounts: accounts + load.latencies.length,
    rows: compared,
    differing,
  },
  () => process.disconnect(),
);
