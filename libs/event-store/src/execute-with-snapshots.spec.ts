import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Refusal, type Snapshots } from '@parlance/decider';
import { account, type AccountCommand, type AccountEvent, deposit, withdraw } from '../test/account.ts';
import { onSqlite } from '../test/contract/on-sqlite.ts';
import { metadata } from '../test/contract/subject.ts';
import type { Companion } from './append.ts';
import type { EventStore } from './event-store.ts';
import { execute, type Execution } from './execute.ts';
import { stateOf, upToDate } from './state.ts';

describe('executing a command with snapshots', () => {
  let subject: Awaited<ReturnType<typeof onSqlite>>;
  let store: EventStore;
  const order = (command: AccountCommand, { snapshots, ...more }: Partial<Execution<AccountCommand>> & { snapshots?: Snapshots } = {}) =>
    execute(store, { ...account, ...(snapshots && { snapshots }) }, { stream: 'a', command, metadata, ...more });

  beforeEach(async () => {
    subject = await onSqlite();
    store = subject.store;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await subject.end();
  });

  const snapshots = { every: 3, shape: 'v1' };
  /** Waits for the snapshot, because it is saved after the answer. */
  const saved = async (version: number, shape = 'v1') => {
    while (((await store.loadSnapshot('a', shape))?.version ?? 0) < version) await new Promise(setImmediate);
  };
  /** Counts the commits that are read. */
  const counted = () => {
    let commits = 0;
    const read = store.read.bind(store);
    jest.spyOn(store, 'read').mockImplementation(async (...limits) => {
      const page = await read(...limits);
      commits += page.commits.length;
      return page;
    });
    return () => commits;
  };

  it('saves a snapshot after every few appends, and continues reading from it', async () => {
    for (let i = 0; i < 3; i++) await order(deposit(1), { snapshots });
    await saved(3);
    expect(await store.loadSnapshot('a', 'v1')).toEqual({ version: 3, shape: 'v1', state: 3 });
    await order(deposit(1), { snapshots });
    const read = jest.spyOn(store, 'read');
    expect(await stateOf(store, { ...account, snapshots }, 'a')).toMatchObject({ state: 4, version: 4 });
    expect(read.mock.calls).toEqual([['a', 3]]);
  });

  it('reads only the later appends of others for a stream that this process has seen', async () => {
    const decider = { ...account, snapshots: { every: 100, shape: 'v1' } };
    for (let i = 0; i < 3; i++) await order(deposit(1));
    expect(await upToDate(store, decider, 'a')).toMatchObject({ state: 3, version: 3 });
    await order(deposit(1));
    const commits = counted();
    expect(await upToDate(store, decider, 'a')).toMatchObject({ state: 4, version: 4 });
    expect(commits()).toBe(1);
    expect(await upToDate(store, decider, 'a')).toMatchObject({ state: 4, version: 4 });
    expect(commits()).toBe(1);
  });

  it('reads from the snapshot if a stream that is declared new exists', async () => {
    for (let i = 0; i < 4; i++) await order(deposit(1));
    await stateOf(store, { ...account, snapshots }, 'a');
    await saved(4);
    const commits = counted();
    expect(await order(deposit(1), { snapshots, isNew: true })).toMatchObject({ state: 5, version: 5, written: true });
    expect(commits()).toBe(0);
  });

  it('saves a snapshot once if several readers find that it is due', async () => {
    for (let i = 0; i < 4; i++) await order(deposit(1));
    const save = jest.spyOn(store, 'saveSnapshot');
    const read = () => stateOf(store, { ...account, snapshots }, 'a');
    await Promise.all([read(), read(), read()]);
    expect(save).toHaveBeenCalledTimes(1);
    await saved(4);
  });

  it('reads nothing for a command on a stream that this process has just written', async () => {
    await order(deposit(1), { snapshots });
    const reads = [jest.spyOn(store, 'read'), jest.spyOn(store, 'loadSnapshot')];
    expect(await order(withdraw(1), { snapshots })).toMatchObject({ state: 0, version: 2, written: true });
    for (const read of reads) expect(read).not.toHaveBeenCalled();
  });

  it('checks the current state of the stream before it refuses a command or does nothing', async () => {
    await order(deposit(1), { snapshots });
    await store.append({ stream: 'a', expected: 1, events: [{ type: 'Deposited', amount: 9 } as AccountEvent], metadata });
    expect(await order(withdraw(5), { snapshots })).toMatchObject({ state: 5, version: 3, written: true });
    await store.append({ stream: 'a', expected: 3, events: [{ type: 'Withdrawn', amount: 5 } as AccountEvent], metadata });
    expect(await order(deposit(0), { snapshots })).toMatchObject({ state: 0, version: 4, written: false });
    await store.append({ stream: 'a', expected: 4, events: [{ type: 'Deposited', amount: 1 } as AccountEvent], metadata });
    const seen: number[] = [];
    await expect(order(withdraw(2), { snapshots, accepts: (version) => seen.push(version) })).rejects.toThrow(Refusal);
    expect(seen).toEqual([3, 5]);
  });

  it('answers a repeat with the current state of the stream', async () => {
    await order(deposit(1), { snapshots, once: 'payday' });
    await store.append({ stream: 'a', expected: 1, events: [{ type: 'Deposited', amount: 7 } as never], metadata });
    expect(await order(deposit(1), { snapshots, once: 'payday' })).toMatchObject({ state: 8, version: 2, written: false });
  });

  it('caches the states of at most 1,000 streams', async () => {
    for (let number = 0; number <= 1_000; number += 1) await order(deposit(1), { snapshots, stream: `s${number}` });
    const read = jest.spyOn(store, 'read');
    await order(deposit(1), { snapshots, stream: 's1' });
    expect(read).not.toHaveBeenCalled();
    expect(await order(deposit(1), { snapshots, stream: 's0' })).toMatchObject({ state: 2, version: 2 });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('saves a snapshot with the next command if saving it failed', async () => {
    jest.spyOn(store, 'saveSnapshot').mockRejectedValueOnce(new Error('disk full'));
    for (let i = 0; i < 4; i++) await order(deposit(1), { snapshots });
    await saved(3);
    expect(await order(deposit(1), { snapshots })).toMatchObject({ state: 5, version: 5 });
  });

  it('folds from the beginning if the shape of the state has changed, and saves the new snapshot next to the old one', async () => {
    for (let i = 0; i < 3; i++) await order(deposit(1), { snapshots });
    await saved(3);
    expect(await order(deposit(1), { snapshots: { every: 3, shape: 'v2' } })).toMatchObject({ state: 4 });
    await saved(3, 'v2');
    expect((await store.loadSnapshot('a', 'v1'))?.version).toBe(3);
  });

  it('reads only the commits after the snapshot of a stream of 20,000', async () => {
    const long = { ...account, snapshots: { every: 20, shape: 'v1' } };
    const texts = [JSON.stringify([{ id: 'x', schema: 1, event: { type: 'Deposited', amount: 1 } }]), JSON.stringify(metadata)];
    const grow: Companion = (transaction) =>
      transaction.run(
        `WITH RECURSIVE versions(version) AS (SELECT 1 UNION ALL SELECT version + 1 FROM versions WHERE version < 19999)
         INSERT INTO commits (stream, version, events, metadata) SELECT 'a', version, ?, ? FROM versions`,
        ...texts,
      );
    await store.append({ stream: 'a', expected: 19_999, events: [{ type: 'Deposited' }], metadata, companions: [grow] });
    expect(await stateOf(store, long, 'a')).toMatchObject({ version: 20_000 });
    await saved(20_000);

    const reads = counted();
    for (let i = 0; i < 50; i++) await order(deposit(1), long);
    expect((await stateOf(store, long, 'a')).version).toBe(20_050);
    // A snapshot may arrive some commits late, because nothing waits for it.
    expect(reads()).toBeLessThan(51 * (20 + 10));
  });
});
