import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@parlance/event-store';
import fc from 'fast-check';
import { accounts, accountsProjection, all, both, endAll, history, oracle, totals, waitUntil, world } from '../../test/accounts.ts';
import { put } from '../changes.ts';
import { openSqliteReadModels } from '../sqlite/sqlite-read-models.ts';

afterEach(endAll);

const EMPTY = { owner: 'unused', balance: 0, names: [] };

describe('a projector', () => {
  it('builds the same rows as an oracle, with several processes, during appends or after them', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(fc.nat({ max: 40 }), { maxLength: 3 }), fc.boolean(), async (commits, starts, inline) => {
        const { append, start } = await world();
        let { projector, models } = await start(both, { inline });
        for (const [number, { stream, events }] of commits.entries()) {
          const position = await append(stream, ...events);
          if (number % 7 === 0) expect(await projector.includes(position)).toEqual({ behind: [] });
          // Another process begins while the first is still at work.
          if (starts.includes(number)) ({ projector, models } = await start(both, { inline: inline && number % 2 === 0 }));
        }
        expect(await projector.includes(commits.length)).toEqual({ behind: [] });
        expect(await all(models)).toEqual(oracle(commits));
        for (const { name } of both) expect((await projector.verify(name)).differing).toEqual([]);
        await projector.reset('accounts');
        await projector.reset('totals');
        await waitUntil(() => projector.ready().length === 0);
        expect(await all(models)).toEqual(oracle(commits));
        await endAll();
      }),
      { numRuns: 15 },
    );
  });

  it('lets each writer read its own writes at once', async () => {
    const { append, start } = await world();
    const processes = [await start(both), await start(both, { inline: false })];
    const writers = Array.from({ length: 30 }, async (_, number) => {
      const stream = `account-${number}`;
      const { projector, models } = processes[number % 2]!;
      await append(stream, { type: 'Opened', owner: 'ann' });
      for (let amount = 1; amount <= 5; amount += 1) {
        await projector.includes(await append(stream, { type: 'Deposited', amount }));
        expect((await models.get(accounts, stream))?.balance).toBe((amount * (amount + 1)) / 2);
      }
    });
    await Promise.all(writers);
    expect(await processes[0]!.models.get(totals, 'all')).toEqual({ deposits: 150, sum: 450 });
  });

  it('reads each commit once for projections that are at the same position', async () => {
    const { append, store, start } = await world();
    for (let number = 0; number < 20; number += 1) await append('a', { type: 'Deposited', amount: 1 });
    let reads = 0;
    const counted = Object.create(store, {
      readAll: {
        value: (after: number, commits: number, bytes: number) => ((reads += after === 0 ? 1 : 0), store.readAll(after, commits, bytes)),
      },
    }) as EventStore;
    const { projector } = await start(both, { store: counted, inline: false });
    await projector.includes(20);
    expect(reads).toBe(1);
    const common = { version: 1, position: 20, behind: 0, group: null, ready: true, progress: 1, stopped: null, parked: 0 };
    expect(await projector.lag()).toEqual(both.map(({ name }) => ({ projection: name, ...common })));
  });

  it('does not wait forever for a position that the log does not have', async () => {
    const { start } = await world();
    const { projector } = await start(both, { patienceMs: 50, inline: false });
    expect(await projector.includes(7)).toEqual({ behind: ['accounts', 'totals'] });
    const other = await start(both, { inline: false });
    const waiting = other.projector.includes(7);
    await other.projector.stop();
    expect(await waiting).toEqual({ behind: ['accounts', 'totals'] });
  });

  it('does not wait for a projection that is not awaited', async () => {
    const { append, start, store } = await world();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const slow = Object.create(store, {
      readAll: {
        value: (...args: [number, number, number]) => (args[0] > 0 ? gate : Promise.resolve()).then(() => store.readAll(...args)),
      },
    }) as EventStore;
    await append('a', { type: 'Opened', owner: 'ann' });
    const { projector } = await start([{ ...accountsProjection, awaited: false }], { store: slow, inline: false });
    expect(await projector.includes(await append('a', { type: 'Deposited', amount: 1 }))).toEqual({ behind: [] });
    open();
  });

  it('recovers by itself after the log was unreachable for a while', async () => {
    const { append, start, store } = await world();
    let outages = 0;
    const shaky = Object.create(store, {
      readAll: {
        value: (...args: [number, number, number]) => (outages-- > 0 ? Promise.reject(new Error('away')) : store.readAll(...args)),
      },
    }) as EventStore;
    const { projector, failures } = await start(both, { store: shaky, inline: false });
    outages = 1;
    const position = await append('a', { type: 'Deposited', amount: 1 });
    expect(await projector.includes(position)).toEqual({ behind: [] });
    expect(failures).toEqual([{ projection: null, error: new Error('away'), stopped: false }]);
  });

  it('finds and corrects a row that was changed by hand, while appends continue', async () => {
    const { append, start, file } = await world();
    for (let number = 0; number < 300; number += 1) await append(`s${number}`, { type: 'Opened', owner: 'ann' });
    const { projector, models } = await start(both);
    await file.write((transaction) => transaction.run(`UPDATE "accounts@v1" SET row = json_set(row, '$.owner', 'eve') WHERE key = 's7'`));
    const progress = { over: false };
    const verified = projector.verify('accounts').finally(() => (progress.over = true));
    for (let number = 0; !progress.over || number < 5; number += 1) await append(`s${number % 300}`, { type: 'Deposited', amount: 1 });
    expect(await verified).toEqual({ rows: 300, differing: ['accounts/s7'] });
    expect(await projector.verify('totals')).toEqual({ rows: 1, differing: [] });
    expect(file.all(`SELECT 1 FROM sqlite_schema WHERE name LIKE '%~%'`)).toHaveLength(0);
    await projector.reset('accounts');
    await waitUntil(() => projector.ready().length === 0);
    expect((await models.get(accounts, 's7'))?.owner).toBe('ann');
    expect(await projector.verify('accounts')).toMatchObject({ differing: [] });
  });

  it('does not report a row that differed only in the first comparison', async () => {
    const { append, start, file } = await world();
    await append('a', { type: 'Opened', owner: 'ann' });
    const { projector, models } = await start(both);
    const setOwner = `UPDATE "accounts@v1" SET row = json_set(row, '$.owner', ?)`;
    await file.write((transaction) => transaction.run(setOwner, 'eve'));
    const getMany = models.getMany.bind(models);
    models.getMany = async (of, keys) => {
      const read = await getMany(of, keys);
      await file.write((transaction) => transaction.run(setOwner, 'ann'));
      return read;
    };
    expect(await projector.verify('accounts')).toEqual({ rows: 1, differing: [] });
  });

  it('finds a row that no event has created, and ignores the remains of a killed verification', async () => {
    const { append, start, file } = await world();
    await append('a', { type: 'Opened', owner: 'ann' });
    const { projector, models } = await start(both);
    const scratch = models.scratch();
    await scratch.prepare([accountsProjection]);
    await scratch.apply({ from: await scratch.progress('accounts'), steps: [{ to: '1', changes: [put(accounts, 'left', EMPTY)] }] });
    expect(await projector.verify('accounts')).toEqual({ rows: 1, differing: [] });
    await file.write((transaction) => transaction.run(`INSERT INTO "accounts@v1" (key, row) VALUES ('made', '{}')`));
    expect(await projector.verify('accounts')).toEqual({ rows: 1, differing: ['accounts/made'] });
  });
});

describe('remains of programs of the last release', () => {
  it('are emptied and dropped, and the rows are built again', async () => {
    const { append, start, file } = await world();
    await append('a', { type: 'Opened', owner: 'ann' });
    await openSqliteReadModels(file);
    await file.write((transaction) => {
      transaction.run('CREATE TABLE "accounts@1" (key TEXT PRIMARY KEY NOT NULL, row TEXT NOT NULL) WITHOUT ROWID');
      for (let number = 0; number < 3_000; number += 1) {
        transaction.run(`INSERT INTO "accounts@1" VALUES (?, '{}')`, `k${number}`);
        transaction.run(`INSERT INTO read_model_seen VALUES ('accounts', 1, ?, 1)`, `e${number}`);
      }
      transaction.run(`INSERT INTO read_model_builds (projection, generation, version, checkpoint, state, tables, latest)
        VALUES ('accounts', 1, 1, 1, 'living', '["accounts"]', 1)`);
    });
    const { projector, models } = await start(both);
    await projector.stop();
    const tables = file.all<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE name GLOB '*@[0-9]*' OR name IN ('read_model_seen', 'read_model_builds')`,
    );
    expect(tables).toHaveLength(0);
    expect(await models.get(accounts, 'a')).toMatchObject({ owner: 'ann' });
  });
});
