import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openSqliteFile, type SqliteFile, type Transaction } from '@parlance/sqlite';
import { put, update } from '../changes.ts';
import { heard, mine, others as othersTable, step, sums } from '../../test/contract/stage.ts';
import { onStage, readModelsContract, type Stage, things } from '../../test/contract/contract.ts';
import { plan } from '../query.ts';
import type { Query } from '../read-models.ts';
import type { Change } from '../table.ts';
import { indexedFields, TableSql } from './table-sql.ts';
import { openSqliteReadModels, rebuildForeign } from './sqlite-read-models.ts';

/** `columns`: whether the tables of `mine` have them. Tables of earlier releases have none. */
async function open(columns = true): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'read-models-'));
  const path = join(directory, 'models.db');
  const file = await openSqliteFile(path);
  if (!columns)
    for (const { name, indexes } of mine.tables) {
      const statements = new TableSql(`${name}@v1`, []).create(indexes);
      await file.write((transaction) => statements.forEach((sql) => transaction.run(sql)));
    }
  const others = [await openSqliteFile(path)];
  return {
    models: await openSqliteReadModels(file),
    reopen: async () => openSqliteReadModels(others[0]!),
    close: async () => {
      await Promise.all([file, ...others].map((one) => one.close()));
      await rm(directory, { recursive: true });
    },
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('read models in SQLite', () => {
  for (const [name, run] of Object.entries(readModelsContract)) it(name, () => onStage(open, run));

  describe('in tables of earlier releases', () => {
    for (const [name, run] of Object.entries(readModelsContract)) it(name, () => onStage(() => open(false), run));
  });

  it('writes only the indexes whose fields change, and nothing for an equal row', async () => {
    const { file, models, close } = await fileWithThings();
    const texts: string[] = [];
    let rows = 0;
    onRun(file, (sql, changes) => {
      if (!sql.includes('"things@v1"')) return;
      texts.push(sql);
      rows += changes;
    });
    const write = async (to: number, change: Change) => models.apply({ from: await models.progress('mine'), steps: [step(to, change)] });
    await write(1, put(things, 'a', { kind: 'x', size: 1, note: 1 }));
    await write(
      2,
      update(things, 'a', (row) => ({ ...row!, note: 2 })),
    );
    expect(texts.at(-1)).not.toContain('of_');
    await write(
      3,
      update(things, 'a', (row) => ({ ...row!, size: 2 })),
    );
    expect(texts.at(-1)).toContain('of_size');
    expect(texts.at(-1)).not.toContain('of_kind');
    await write(4, put(things, 'a', { kind: 'x', size: 2, note: 2 }));
    expect(rows).toBe(3);
    await close();
  });

  it('rebuilds rows whose table is gone, and reports it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'read-models-'));
    const file = await openSqliteFile(join(directory, 'models.db'));
    const lost: string[] = [];
    const models = async () => {
      const opened = await openSqliteReadModels(file);
      opened.onLost = (name) => lost.push(name);
      await opened.prepare([mine]);
      return opened;
    };
    const first = await models();
    await first.apply({
      from: await first.progress('mine'),
      steps: [step(5, put(sums, 'a', { name: 'a', count: 1, cost: 2 }))],
      reached: 1,
    });
    await models();
    expect(lost).toEqual([]);
    await file.write((transaction) => transaction.run('DROP TABLE "things@v1"'));
    expect(await (await models()).progress('mine')).toMatchObject({ at: '0', ready: false });
    expect(lost).toEqual(['mine']);
    // They would be counted a second time.
    expect(file.all('SELECT * FROM "sums@v1"')).toEqual([]);
    await file.close();
    await rm(directory, { recursive: true });
  });

  it('rebuilds read models of other services when requested, and no others', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'read-models-'));
    const file = await openSqliteFile(join(directory, 'models.db'));
    const first = await openSqliteReadModels(file);
    await first.prepare([mine, heard]);
    const a = { name: 'a', count: 1, cost: 2 };
    await first.apply({ from: await first.progress('mine'), steps: [step(5, put(sums, 'a', a))], reached: 1 });
    const places = JSON.stringify({ bots: '5.0' });
    const steps = [{ to: places, changes: [put(othersTable, 'a', a)] }];
    await first.apply({ from: await first.progress('heard'), steps, reached: 1, lines: { 'parlance.bots/0': '5.0' } });
    await rebuildForeign(file);
    const second = await openSqliteReadModels(file);
    await second.prepare([mine, heard]);
    expect(await second.progress('mine')).toMatchObject({ at: '5', ready: true });
    expect(await second.progress('heard')).toMatchObject({ at: '0', ready: false });
    expect(await second.lines('heard')).toEqual(new Map());
    expect(file.all('SELECT * FROM "others@v1"')).toEqual([]);
    await file.close();
    await rm(directory, { recursive: true });
  });

  it('answers every query with a range scan of its index, without sorting', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'read-models-'));
    const file = await openSqliteFile(join(directory, 'models.db'));
    const sql = new TableSql('things@v1', indexedFields(things.indexes));
    await file.write((transaction) => sql.create(things.indexes).forEach((text) => transaction.run(text)));
    const queries: Query[] = [
      { index: 'byKind', where: { kind: 'x' }, limit: 5 },
      { index: 'byKind', where: { kind: null, size: 1 }, limit: 5 },
      { index: 'byKind', where: { kind: 'x' }, from: 1, to: 2, limit: 5 },
      { index: 'byKind', where: { kind: 'x' }, to: 'b', limit: 5 },
      { index: 'byKind', where: { kind: 'x' }, limit: 5, after: ['x', 3, 'k'] },
      { index: 'byKind', where: { kind: 'x' }, limit: 5, after: ['x', null, 'k'] },
      { index: 'byKind', limit: 5, after: ['x', 3, 'k'] },
      { index: 'byKind', where: { kind: 'x' }, from: 1, to: 9, limit: 5, after: ['x', 3, 'k'] },
      { index: 'bySize', limit: 5, after: [3, 'k'] },
      { index: 'key', limit: 5, after: ['k'] },
    ];
    for (const query of queries) {
      for (const order of ['asc', 'desc'] as const) {
        const planned = plan(things, { ...query, order });
        for (const stretch of planned.stretches) {
          const { sql: text, params } = sql.select(planned, stretch);
          const steps = file.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...params, 5).map(({ detail }) => detail);
          expect(steps).toEqual([expect.stringMatching(/^SEARCH things@v1 USING (INDEX|PRIMARY KEY)/)]);
        }
      }
    }
    // The whole table in an index's order has no range to look for, and nothing to sort.
    const whole = plan(things, { index: 'byKind', limit: 5 });
    expect(file.all(`EXPLAIN QUERY PLAN ${sql.select(whole, whole.stretches[0]!).sql}`, 5)).toEqual([
      expect.objectContaining({ detail: 'SCAN things@v1 USING INDEX things@v1:kind+size' }),
    ]);
    await file.close();
    await rm(directory, { recursive: true });
  });

  it('ends a unit of work by the time that writing rows takes, not only by the time that computing changes takes', async () => {
    const { file, models, close } = await fileWithThings();
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    // Each row takes a millisecond to write, and none to make.
    onRun(file, (sql) => (now += sql.includes('things@v1') ? 1 : 0));
    const progress = await models.apply({ from: await models.progress('mine'), steps: stepsOfThings(2_000) });
    expect(Number(progress.at)).toBeLessThan(100);
    await close();
  });

  it('removes rows a few at a time, because each may be large', async () => {
    const { file, models, close } = await fileWithThings();
    await models.apply({ from: await models.progress('mine'), steps: stepsOfThings(20) });
    const removed: number[] = [];
    onRun(file, (sql, changes) => sql.startsWith('DELETE FROM "things') && removed.push(changes));
    await models.drop('mine');
    expect(Math.max(...removed)).toBeLessThan(10);
    await close();
  });
});

type Work = (transaction: Transaction) => unknown;

async function fileWithThings() {
  const directory = await mkdtemp(join(tmpdir(), 'read-models-'));
  const file = await openSqliteFile(join(directory, 'models.db'));
  const models = await openSqliteReadModels(file);
  await models.prepare([mine]);
  const close = async () => {
    await file.close();
    await rm(directory, { recursive: true });
  };
  return { file, models, close };
}

const stepsOfThings = (count: number) =>
  Array.from({ length: count }, (_, number) => step(number + 1, put(things, `k${number}`, { kind: 'x' })));

/** Reports each statement in a unit of work, with the rows that it changed. */
function onRun(file: SqliteFile, report: (sql: string, changes: number) => unknown): void {
  const write = file.write.bind(file) as (work: Work) => Promise<unknown>;
  const dressed = (transaction: Transaction): Transaction => ({
    get: transaction.get.bind(transaction),
    all: transaction.all.bind(transaction),
    run: (sql, ...params) => {
      const changes = transaction.run(sql, ...params);
      report(sql, changes);
      return changes;
    },
  });
  file.write = ((work: Work) => write((transaction) => work(dressed(transaction)))) as typeof file.write;
}
