import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { NewerSchema, openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { patience } from '@parlance/testing';
import type { Delivery } from '../broker.ts';
import { openSqliteRelayCheckpoints } from '../relay/sqlite-checkpoints.ts';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { contractRetry, eventOf, eventually, Recorder } from '../../test/contract/harness.ts';
import { publish, topic } from '../../test/relays.ts';
import { openEmbeddedBroker } from './embedded-broker.ts';
import { offsetOf } from './entry.ts';
import { schema } from './schema.ts';

const harnesses = new EmbeddedHarnesses();
const files: SqliteFile[] = [];
afterEach(async () => {
  for (const file of files.splice(0)) await file.close();
  await harnesses.close();
});

/** A file as 0.3 wrote it: `test/golden/0.3`. */
async function fileOf03(folder: string, name: string): Promise<SqliteFile> {
  const path = join(folder, `${name}.db`);
  const database = new DatabaseSync(path);
  database.exec(readFileSync(new URL(`../../test/golden/0.3/${name}.sql`, import.meta.url), 'utf8'));
  database.close();
  const file = await openSqliteFile(path);
  files.push(file);
  return file;
}

/**
 * 30 commits. A relay had sent 25 of them, its checkpoint is at 22, and it has sent 23 and 24 twice. The group `done` has handled all of them once,
 * `slow` those before the 8th, and `parks` has set the events 5, 6 and 8 aside. 6 is redriven.
 */
async function written() {
  const folder = await harnesses.folder();
  const [log, file] = [await fileOf03(folder, 'counting'), await fileOf03(folder, 'broker')];
  const [store, checkpoints] = [await openSqliteEventStore(log), await openSqliteRelayCheckpoints(log)];
  const counting = { name: 'counting', topic, store, publish, relayed: () => checkpoints.position(topic) };
  const open = () => openEmbeddedBroker(file, { retry: contractRetry });
  return { file, counting, open };
}

const numbers = (deliveries: readonly Delivery[]) => deliveries.map(({ event }) => (event.data as { n: number }).n);
const from = (first: number) => Array.from({ length: 30 - first }, (_, at) => first + at);
const sorted = (some: readonly number[]) => some.toSorted((a, b) => a - b);

describe('a directory of 0.3', () => {
  it('continues from the position of each group, at least once and in order, with its dead letters and redrives', async () => {
    const { counting, open } = await written();
    const broker = await open();
    const groups = { done: new Recorder(patience(60_000)), slow: new Recorder(patience(60_000)), parks: new Recorder(patience(60_000)) };
    // A policy subscribes before a service that starts later has entered.
    await broker.subscribe({ group: 'done', topics: [topic], handle: groups.done.handle });
    await broker.enter(counting);
    await broker.subscribe({ group: 'slow', topics: [topic], handle: groups.slow.handle });
    await broker.subscribe({ group: 'parks', topics: [topic], handle: groups.parks.handle });
    await eventually(patience(60_000), async () => {
      const lags = await Promise.all(Object.keys(groups).map((group) => broker.lag(group)));
      expect(lags.flat().filter(({ behind }) => behind > 0)).toEqual([]);
    });
    // What the relay had not recorded as sent comes again.
    expect(sorted(numbers(groups.done.deliveries))).toEqual(from(22));
    expect(sorted(numbers(groups.slow.deliveries))).toEqual(from(7));
    expect(sorted(numbers(groups.parks.deliveries))).toEqual([6, ...from(22)]);
    for (const { deliveries } of Object.values(groups))
      for (const of of Map.groupBy(deliveries, ({ key }) => key).values()) expect(numbers(of)).toEqual(sorted(numbers(of)));
    const letters = await broker.deadLetters('parks', 10);
    expect(letters.map(({ id, key, reason, event }) => [id, key, reason, event.data, event.source])).toEqual([
      ['1', 's-0', 'Error: no', { n: 5 }, '/counting'],
      ['3', 's-3', 'Error: no', { n: 8 }, '/counting'],
    ]);
    const before = groups.parks.deliveries.length;
    expect(await broker.redrive('parks')).toBe(2);
    await eventually(patience(60_000), async () => expect(sorted(numbers(groups.parks.deliveries.slice(before)))).toEqual([5, 8]));
    const partitions = Map.groupBy(groups.parks.deliveries, ({ key }) => key);
    for (const deliveries of partitions.values()) expect(new Set(deliveries.map(({ partition }) => partition)).size).toBe(1);
    await broker.close();
  });

  it('is taken over once, even after a kill between its two steps', async () => {
    const { file, counting, open } = await written();
    await (await open()).close();
    const again = await open();
    await again.enter(counting);
    const places = () =>
      file.all<{ grp: string; next: number }>("SELECT next FROM broker_cursors WHERE grp = 'done'").map(({ next }) => next);
    expect(new Set(places())).toEqual(new Set([offsetOf(23)]));
    await again.close();
    await file.write((transaction) => transaction.run('UPDATE broker_cursors SET next = ?', offsetOf(29)));
    const later = await open();
    await later.enter(counting);
    expect(new Set(places())).toEqual(new Set([offsetOf(29)]));
    await later.close();
  });

  it('is refused by 0.3 after that', async () => {
    const { file, open } = await written();
    await (await open()).close();
    await expect(file.migrate({ ...schema, steps: schema.steps.slice(0, 9) })).rejects.toThrow(NewerSchema);
  });
});

it('takes over the unread events and the dead letters of a file of 0.2', async () => {
  const file = await harnesses.file();
  await file.migrate({ ...schema, steps: schema.steps.slice(0, 5) });
  await file.write((transaction) => {
    transaction.run(`INSERT INTO broker_partitions VALUES (1, 'parlance.read', 0), (2, 'parlance.half', 3)`);
    for (const [partition, name] of [
      [1, 'parlance.read'],
      [2, 'parlance.half'],
    ] as const)
      for (let n = 0; n < 10; n++)
        transaction.run('INSERT INTO broker_events VALUES (?, ?, ?, ?)', partition, n, 'k', JSON.stringify(eventOf(name, 'k', 100 + n)));
    transaction.run(`INSERT INTO broker_places VALUES ('slow', 1, 10), ('slow', 2, 4)`);
    transaction.run(
      `INSERT INTO broker_dead_letters (grp, partition, "offset", reason, failed_at) VALUES ('slow', 2, 1, 'no', '2026-01-01T00:00:00.000Z')`,
    );
  });
  const broker = await openEmbeddedBroker(file);
  expect(file.all('SELECT source, topic, partition, next FROM broker_cursors ORDER BY topic')).toEqual([
    { source: 'half', topic: 'parlance.half', partition: 3, next: offsetOf(104) },
    { source: 'read', topic: 'parlance.read', partition: 0, next: Number.MAX_SAFE_INTEGER },
  ]);
  const letters = await broker.deadLetters('slow', 10);
  expect(letters).toMatchObject([{ topic: 'parlance.half', partition: 3, event: eventOf('parlance.half', 'k', 101) }]);
  await broker.close();
});
