import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { atEnd, endAll, metadata, waitUntil } from '../../test/accounts.ts';
import { Neighbour } from '../../test/topics.ts';
import { add, first, put, update } from '../changes.ts';
import { foreignProjection, projection } from '../projection.ts';
import { Projector } from './projector.ts';
import { openSqliteReadModels } from '../sqlite/sqlite-read-models.ts';
import { table } from '../table.ts';

interface Visited {
  readonly id: string;
  readonly type: 'visited';
  readonly sequence: string;
  readonly month: string;
  readonly visitor: string;
}

const counts = table<{ readonly visitors: number }>('counts');
const seen = table<object>('seen');
const newest = table<{ readonly position: number; readonly time: string }>('newest');
/** Visitors whose events fail. */
const broken = new Set<string>();
const failing = (visitor: string): [] => {
  if (broken.has(visitor)) throw new Error('no such visitor');
  return [];
};
const visits = foreignProjection<Visited>({
  name: 'visits',
  version: 1,
  tables: [counts, seen, newest],
  onError: 'park',
  on: {
    visited: ({ sequence, month, visitor }) => [
      ...failing(visitor),
      first(seen, `${month}|${visitor}`, {}, [add(counts, month, { visitors: 1 }, {})]),
      update(newest, 'newest', (row) => {
        const position = Number.parseInt(sequence, 10);
        return row && row.position >= position ? row : { position, time: `T${position}` };
      }),
    ],
  },
  // A month is three commits long here.
  outdated: {
    newest: (models) => models.get(newest, 'newest'),
    before: ({ position }) => [{ table: seen, key: `m${Math.floor(position / 3)}` }],
  },
});

afterEach(endAll);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(1);
}

async function world() {
  const directory = await mkdtemp(join(tmpdir(), 'outdated-'));
  atEnd(() => rm(directory, { recursive: true }));
  const file = await openSqliteFile(join(directory, 'service.db'), { sync: () => Promise.resolve() });
  atEnd(() => file.close());
  const store = await openSqliteEventStore(file);
  const neighbour = new Neighbour();
  const visit = (visitor: string) => {
    const month = `m${Math.floor((neighbour.head + 1) / 3)}`;
    neighbour.say(visitor, { id: `e${neighbour.head}`, type: 'visited', month, visitor } as { id: string; type: string });
  };
  const start = async () => {
    const models = await openSqliteReadModels(file);
    const foreign = { service: 'analytics', projections: [visits], topics: neighbour, published: neighbour.published };
    const projector = new Projector({ store, models, projections: [], foreign });
    atEnd(() => projector.stop());
    await projector.start();
    await waitUntil(() => projector.ready().length === 0 && neighbour.isDelivered);
    const keys = async () => (await models.find(seen, { index: 'key', limit: 100 })).keys;
    return { models, projector, keys };
  };
  return { file, store, neighbour, visit, start };
}

describe('rows that no later event reads', () => {
  it('are removed at startup, and a comparison with the events finds nothing missing', async () => {
    const { visit, start, neighbour } = await world();
    const before = await start();
    for (const visitor of ['a', 'b', 'a', 'b', 'c', 'a', 'c']) visit(visitor);
    await waitUntil(() => neighbour.isDelivered);
    expect(await before.keys()).toEqual(['m0|a', 'm0|b', 'm1|a', 'm1|b', 'm1|c', 'm2|a', 'm2|c']);
    await before.projector.stop();
    const { models, projector, keys } = await start();
    await until(async () => (await keys()).length === 2);
    expect(await keys()).toEqual(['m2|a', 'm2|c']);
    visit('c');
    await waitUntil(() => neighbour.isDelivered);
    expect((await projector.verify('visits')).differing).toEqual([]);
    expect(Object.fromEntries(await models.getMany(counts, ['m0', 'm1', 'm2']))).toEqual({
      m0: { visitors: 2 },
      m1: { visitors: 3 },
      m2: { visitors: 2 },
    });
  });

  it('are kept while a lagging partition may have events of their time', async () => {
    const { visit, start, neighbour } = await world();
    const { projector, keys } = await start();
    visit('a');
    await waitUntil(() => neighbour.isDelivered);
    neighbour.stalled = 'a'.charCodeAt(0) % 3;
    for (const visitor of ['a', 'b', 'b', 'b', 'b']) visit(visitor);
    await until(async () => (await keys()).length === 3);
    await projector.verify('visits');
    expect(await keys()).toEqual(['m0|a', 'm1|b', 'm2|b']);
  });

  it('are kept while an event is set aside, and are removed after its redrive', async () => {
    const { visit, start, neighbour } = await world();
    const { projector, keys } = await start();
    broken.add('b');
    for (const visitor of ['a', 'b', 'a', 'a', 'a', 'a', 'a', 'a']) visit(visitor);
    await waitUntil(() => neighbour.isDelivered);
    await projector.verify('visits');
    expect(await keys()).toEqual(['m0|a', 'm1|a', 'm2|a']);
    broken.clear();
    expect(await projector.redrive('visits')).toEqual({ applied: ['b'], parked: [] });
    await projector.verify('visits');
    expect(await keys()).toEqual(['m2|a']);
  });
});

describe("old rows from the service's own log", () => {
  const notes = table<{ readonly text: string }>('notes');
  type Noted = { readonly type: 'Noted'; readonly year: string };
  const noted = projection<Noted>({
    name: 'noted',
    version: 1,
    tables: [notes],
    on: { Noted: ({ year }) => [put(notes, `${year}-01`, { text: year })] },
    outdated: (now) => [{ table: notes, key: now.slice(0, 4) }],
  });

  it('are removed at startup, and a comparison with the events finds nothing missing', async () => {
    const { file, store } = await world();
    const thisYear = new Date().toISOString().slice(0, 4);
    const start = async (its: typeof noted) => {
      const models = await openSqliteReadModels(file);
      const projector = new Projector({ store, models, projections: [its] });
      atEnd(() => projector.stop());
      await projector.start();
      await waitUntil(() => projector.ready().length === 0);
      return { projector, keys: async () => (await models.find(notes, { index: 'key', limit: 100 })).keys };
    };
    // It removes nothing, so that its start does not compete with the append.
    const { outdated: _, ...keeping } = noted;
    const before = await start(keeping);
    const events = ['2020', thisYear].map((year) => ({ type: 'Noted', year }) as never);
    await store.append({ stream: 'n', expected: 0, events, metadata });
    await until(async () => (await before.keys()).length === 2);
    await before.projector.stop();
    const { projector, keys } = await start(noted);
    await until(async () => (await keys()).length === 1);
    expect(await keys()).toEqual([`${thisYear}-01`]);
    expect((await projector.verify('noted')).differing).toEqual([]);
  });
});
