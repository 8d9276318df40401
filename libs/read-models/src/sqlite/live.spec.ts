import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile, type Transaction } from '@parlance/sqlite';
import { type AccountEvent, atEnd, endAll, metadata, totals, totalsProjection } from '../../test/accounts.ts';
import { add } from '../changes.ts';
import { projection, type Projection } from '../projection.ts';
import { openSqliteReadModels } from './sqlite-read-models.ts';
import { table } from '../table.ts';

afterEach(endAll);

const pairs = table<{ readonly count: number }>('pairs');
const pairing = projection<AccountEvent>({
  name: 'pairing',
  version: 1,
  tables: [pairs],
  on: { Deposited: () => [add(pairs, 'one', { count: 1 }, {}), add(pairs, 'other', { count: 1 }, {})] },
});

/** Rows of one projection, which no projector follows. `spoil` wraps the transaction in which an append writes them. */
async function opened(carried: Projection, spoil = (transaction: Transaction): Transaction => transaction) {
  const directory = await mkdtemp(join(tmpdir(), 'live-'));
  atEnd(() => rm(directory, { recursive: true }));
  const file = await openSqliteFile(join(directory, 'service.db'), { sync: () => Promise.resolve() });
  atEnd(() => file.close());
  const models = await openSqliteReadModels(file);
  const beside = models.besideAppend([carried]);
  const store = await openSqliteEventStore(file, { beside: (transaction, commit) => beside(spoil(transaction), commit) });
  await models.prepare([carried]);
  const deposit = async (amount: number, note = '') => {
    const expected = await store.head();
    await store.append({ stream: 's', expected, events: [{ type: 'Deposited', amount, note } as never], metadata });
  };
  /** Says that the rows include the log up to here, and that this is its end. */
  const reach = async (to: number) =>
    models.apply({ from: await models.progress(carried.name), steps: [{ to: `${to}`, changes: [] }], reached: 1 });
  return { file, models, deposit, reach };
}

describe('live rows', () => {
  it('apply the appends since the last batch, completely or not at all', async () => {
    let isBroken = true;
    const { models, deposit, reach } = await opened({
      ...totalsProjection,
      changes(event, at) {
        if (isBroken && at.position === 3) throw new Error('not yet');
        return totalsProjection.changes(event, at);
      },
    });
    for (const amount of [1, 2, 4]) await deposit(amount);
    expect(await reach(1)).toMatchObject({ at: '1', live: false });
    expect(await models.get(totals, 'all')).toBeNull();
    isBroken = false;
    expect(await reach(1)).toMatchObject({ at: '3', live: true });
    expect(await models.get(totals, 'all')).toEqual({ deposits: 2, sum: 6 });
  });

  it('forget what they applied in a transaction that was rolled back', async () => {
    const { file, models, deposit, reach } = await opened(totalsProjection);
    await deposit(1);
    const undone = file.write((transaction) => {
      transaction.run(`UPDATE read_model_progress SET live = 1 WHERE line = ''`);
      const event = { type: 'Deposited', amount: 100, id: 'e', schema: 1 };
      const commit = { stream: 's', version: 2, position: 2, events: [event], metadata };
      models.besideAppend([totalsProjection])(transaction, commit as never);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await deposit(2);
    // The first append was forgotten with the transaction, so it has to be read from the log.
    expect(await reach(0)).toMatchObject({ live: false, at: '0' });
    expect(await reach(1)).toMatchObject({ live: true, at: '2' });
    await deposit(4);
    expect(await models.get(totals, 'all')).toEqual({ deposits: 2, sum: 6 });
  });

  it('keep a bounded number and size of appends in memory for this', async () => {
    const one = await opened(totalsProjection);
    for (let number = 0; number < 130; number += 1) await one.deposit(1);
    expect(await one.reach(1)).toMatchObject({ live: false });
    expect(await one.reach(2)).toMatchObject({ live: true, at: '130' });
    const other = await opened(totalsProjection);
    for (let number = 0; number < 5; number += 1) await other.deposit(1, 'x'.repeat(1024 * 1024));
    expect(await other.reach(1)).toMatchObject({ live: false });
    expect(await other.reach(2)).toMatchObject({ live: true, at: '5' });
  });

  it('have all rows of an append or none if the file refuses one of them', async () => {
    let isFull = false;
    const spoil = (transaction: Transaction): Transaction => ({
      get: (sql, ...params) => transaction.get(sql, ...params),
      all: (sql, ...params) => transaction.all(sql, ...params),
      run(sql, ...params) {
        if (isFull && params.includes('other')) throw Object.assign(new Error('too big'), { errcode: 18 });
        return transaction.run(sql, ...params);
      },
    });
    const { models, deposit, reach } = await opened(pairing, spoil);
    await reach(0);
    await deposit(1);
    isFull = true;
    await deposit(1);
    expect(Object.fromEntries(await models.getMany(pairs, ['one', 'other']))).toEqual({ one: { count: 1 }, other: { count: 1 } });
    expect(await models.progress('pairing')).toMatchObject({ at: '1', live: false, stopped: expect.stringContaining('too big') });
  });
});

describe('the removal of a version', () => {
  it('prevents writes to the version in the meantime', async () => {
    const { models } = await opened(totalsProjection);
    const step = { to: '1', changes: [add(totals, 'all', { deposits: 1, sum: 1 }, {})] };
    await models.apply({ from: await models.progress('totals'), steps: [], lines: { 't/0': '1' } });
    const line = await models.progress('totals', 't/0');
    const dropping = models.drop('totals');
    const from = await models.progress('totals');
    await expect(models.apply({ from, steps: [step] })).rejects.toThrow('was advanced by another writer');
    await expect(models.apply({ from: line, steps: [step] })).rejects.toThrow('was advanced by another writer');
    await dropping;
  });

  it.each(['swept', 'declared again'])('is completed after a kill, when it is %s', async (how) => {
    const { file, models, deposit, reach } = await opened(totalsProjection);
    await reach(0);
    await deposit(1);
    await file.write((transaction) => transaction.run('UPDATE read_model_progress SET leaving = 1, ready = 0, live = 0'));
    const next = await openSqliteReadModels(file);
    if (how === 'swept') expect(await next.sweep(0)).toEqual(['totals@v1']);
    await next.prepare([totalsProjection]);
    expect(await next.progress('totals')).toMatchObject({ at: '0', ready: false });
    expect(file.all('SELECT * FROM "totals@v1"')).toHaveLength(0);
    await models.close();
  });
});
