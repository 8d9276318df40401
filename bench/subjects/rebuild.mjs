// Fills a log with accounts that are opened and renamed, follows it, and rebuilds the projection of it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { patch, projection, Projector, put, table } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { metadata } from './writers.mjs';

const [events] = process.argv.slice(2).map(Number);
const EVENTS_OF_AN_ACCOUNT = 3;
const accounts = events / EVENTS_OF_AN_ACCOUNT;
const WRITERS = 512;

const rows = table('accounts', { byOwner: ['owner'] });
const people = projection({
  name: 'accounts',
  version: 1,
  tables: [rows],
  on: {
    Opened: ({ owner }, { stream, metadata: { at } }) => [put(rows, stream, { owner, opened_at: at, renamed: 0 })],
    Renamed: ({ owner, times }, { stream }) => [patch(rows, stream, { owner, renamed: times })],
  },
});

const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
process.on('disconnect', () => process.exit());
const file = await openSqliteFile(join(directory, 'service.db'));
const store = await openSqliteEventStore(file);

const rateOf = async (work) => {
  const start = performance.now();
  const result = await work();
  return [events / ((performance.now() - start) / 1_000), result];
};

// Everybody opens before anybody renames: events of one account that lie close together would come down to one write.
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

const [scanRate] = await rateOf(async () => {
  for (let position = 0; position < events;) position = (await store.readAll(position, 2_000)).at(-1).position;
});
const models = await openSqliteReadModels(file);
const projector = new Projector({ store, models, projections: [people], patienceMs: 600_000 });
await projector.start();
const [followRate] = await rateOf(() => projector.includes(events));
const cpu = process.cpuUsage();
const [rebuildRate, comparison] = await rateOf(() => projector.rebuild('accounts'));
const { user, system } = process.cpuUsage(cpu);
const head = await store.head();
await projector.stop();
await store.close();
await file.close();
await rm(directory, { recursive: true });
process.send({ scanRate, followRate, rebuildRate, cpuMicros: (user + system) / events, head, accounts, ...comparison }, () =>
  process.disconnect(),
);
