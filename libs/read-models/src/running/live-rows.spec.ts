import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { accounts, all, breaking, both, endAll, metadata, totals, totalsProjection, waitUntil, world } from '../../test/accounts.ts';

afterEach(endAll);

describe('rows written beside an append', () => {
  it('are written when the append resolves', async () => {
    const { append, start, store } = await world();
    let reads = 0;
    const counted = Object.create(store, {
      readAll: { value: (...args: [number, number, number]) => ((reads += 1), store.readAll(...args)) },
    }) as EventStore;
    const { models, projector } = await start(both, { store: counted });
    const before = reads;
    for (let number = 1; number <= 50; number += 1) {
      const position = await append('a', number === 1 ? { type: 'Opened', owner: 'ann' } : { type: 'Deposited', amount: 1 });
      expect((await models.get(accounts, 'a'))?.balance).toBe(number - 1);
      expect(await projector.includes(position)).toEqual({ behind: [] });
    }
    expect(reads).toBe(before);
    expect(await models.progress('accounts')).toMatchObject({ live: true, at: '50' });
  });

  it('are not written if the append fails after them', async () => {
    const { append, start, file, store } = await world();
    const { models } = await start(both);
    await append('a', { type: 'Opened', owner: 'ann' });
    const beside = models.besideAppend(both);
    const failing = await openSqliteEventStore(file, {
      beside(transaction, commit) {
        beside(transaction, commit);
        expect(transaction.get<{ row: string }>(`SELECT row FROM "accounts@v1" WHERE key = 'a'`)?.row).toContain('"balance":5');
        throw new Error('crashed');
      },
    });
    await expect(
      failing.append({ stream: 'a', expected: 1, events: [{ type: 'Deposited', amount: 5 } as never], metadata }),
    ).rejects.toThrow('crashed');
    expect(await store.head()).toBe(1);
    expect(await models.get(accounts, 'a')).toMatchObject({ balance: 0 });
    await append('a', { type: 'Deposited', amount: 2 });
    expect(await models.get(accounts, 'a')).toMatchObject({ balance: 2 });
  });

  it('have a checkpoint again at the next start, even after a kill', async () => {
    const { append, start, file } = await world();
    await start(both);
    for (const amount of [1, 2, 3]) await append('a', { type: 'Deposited', amount });
    const stored = () => file.all<{ at: string; live: number }>('SELECT at, live FROM read_model_progress');
    expect(stored()).toMatchObject([{ live: 1 }, { live: 1 }]);
    // As the next process finds the file.
    const { settle } = await import('../sqlite/live.ts');
    await file.write(settle);
    expect(stored()).toMatchObject([
      { at: '3', live: 0 },
      { at: '3', live: 0 },
    ]);
    const { models, projector } = await start(both);
    await projector.includes(await append('a', { type: 'Deposited', amount: 4 }));
    expect(await models.get(totals, 'all')).toEqual({ deposits: 4, sum: 10 });
  });

  it('become complete even if appends never pause', async () => {
    const { append, start } = await world();
    const progress = { over: false };
    const writers = Array.from({ length: 16 }, async (_, number) => {
      for (let amount = 0; !progress.over; amount += 1) await append(`s${number}`, { type: 'Deposited', amount: 1 });
    });
    for (let position = 0; position < 2_000;) position = await append('s', { type: 'Deposited', amount: 1 });
    const { models } = await start(both);
    while (!(await models.progress('totals')).live || !(await models.progress('accounts')).live);
    progress.over = true;
    await Promise.all(writers);
    const head = await append('s', { type: 'Deposited', amount: 1 });
    expect(await models.get(totals, 'all')).toEqual({ deposits: head, sum: head });
  });

  it('stop when their projection fails, without affecting the append or other rows', async () => {
    const { append, start } = await world();
    const { models, projector, failures } = await start([breaking((event) => event.type === 'Renamed'), totalsProjection], {
      patienceMs: 2 ** 31 - 1,
    });
    await append('a', { type: 'Opened', owner: 'ann' });
    const position = await append('a', { type: 'Deposited', amount: 4 }, { type: 'Renamed', owner: 'bob' });
    expect(await projector.includes(position)).toEqual({ behind: ['accounts'] });
    expect(await projector.includes(await append('a', { type: 'Deposited', amount: 5 }))).toEqual({ behind: ['accounts'] });
    expect(await all(models)).toMatchObject({ accounts: { a: { balance: 0 } }, total: { sum: 9 } });
    await waitUntil(() => failures.length > 0);
    expect(failures).toEqual([{ projection: 'accounts', error: new Error('no such owner'), stopped: true }]);
    expect([await projector.reached('accounts'), await projector.reached('totals')]).toEqual([1, 3]);
    expect(await projector.lag()).toMatchObject([
      { projection: 'accounts', position: 1, behind: 2, stopped: 'no such owner' },
      { projection: 'totals', position: 3, behind: 0, stopped: null },
    ]);
  });
});
