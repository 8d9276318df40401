import { copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { accounts, all, atEnd, both, breaking, endAll, totals, waitUntil, world } from '../../../test/accounts.ts';
import { broken, groups, members, service, bySubject } from '../../../test/members.ts';
import { Projector } from '../projector.ts';
import { openSqliteReadModels } from '../../sqlite/sqlite-read-models.ts';
import { ProjectionStopped, RebuildInterrupted, RebuildRunning } from '../../errors.ts';

afterEach(() => {
  broken.clear();
  return endAll();
});

/** A store that gives readers of the log no commits after the gate: they wait for it to be moved. */
function gated(store: EventStore) {
  const gate = { end: Infinity };
  const readAll = async (after: number, commits: number, bytes?: number) => {
    await waitUntil(() => after < gate.end);
    return store.readAll(after, Math.min(commits, gate.end - after), bytes);
  };
  return { gate, store: Object.create(store, { readAll: { value: readAll } }) as EventStore };
}

/** Waits until a rebuild has read this many commits. */
async function reached(projector: Projector, position: number) {
  for (;;) {
    const progress = await projector.rebuilding('accounts');
    if ((progress?.position ?? 0) >= position) return progress;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function filled(count: number) {
  const here = await world();
  for (let number = 0; number < count; number += 1) {
    await here.append(`s${number % 400}`, number < 400 ? { type: 'Opened', owner: `o${number}` } : { type: 'Deposited', amount: number });
  }
  return here;
}

const idsIn = (file: { all<Row>(sql: string): Iterable<Row> }) =>
  Array.from(file.all<{ id: string }>('SELECT id FROM read_model_progress ORDER BY id'), ({ id }) => id);

describe("a rebuild of a read model of the service's own log", () => {
  it.each([
    ['whose rows are written with each append', true],
    ['that a follower keeps up to date', false],
  ])('%s ends with the same rows, while queries and commands continue', async (_, inline) => {
    const { append, start, store, file } = await filled(1_300);
    const slow = gated(store);
    const { models, projector } = await start(both, { inline, store: slow.store });
    await waitUntil(() => projector.ready().length === 0);
    const before = await all(models);
    slow.gate.end = 700;
    const rebuilt = projector.rebuild('accounts');
    expect(await reached(projector, 700)).toEqual({ position: 700, head: 1_300, events: 700 });
    expect(await all(models)).toEqual(before);
    slow.gate.end = Infinity;
    expect(await projector.includes(await append('s1', { type: 'Deposited', amount: 5 }))).toEqual({ behind: [] });
    await append('late', { type: 'Opened', owner: 'zoe' });
    expect((await rebuilt).position).toBe(1_302);
    expect(models.generation('accounts')).toBe(1);
    const after = (await all(models)) as { accounts: Record<string, unknown> };
    const { late, ...rest } = after.accounts;
    expect(late).toMatchObject({ owner: 'zoe' });
    const { accounts: old, total } = before as { accounts: Record<string, { balance: number }>; total: { deposits: number; sum: number } };
    expect(rest).toEqual({ ...old, s1: { ...old['s1'], balance: old['s1']!.balance + 5 } });
    expect(await models.get(totals, 'all')).toEqual({ deposits: total.deposits + 1, sum: total.sum + 5 });
    expect((await projector.verify('accounts')).differing).toEqual([]);
    expect(await projector.includes(await append('s1', { type: 'Renamed', owner: 'new' }))).toEqual({ behind: [] });
    expect(await models.get(accounts, 's1')).toMatchObject({ owner: 'new' });
    expect(idsIn(file)).toEqual(['accounts@v1.1', 'totals@v1']);
    expect(file.all("SELECT name FROM sqlite_schema WHERE name = 'accounts@v1'")).toHaveLength(0);
  });

  it('corrects rows that are wrong, again and again, even after a restart', async () => {
    const { start, file } = await filled(20);
    const one = await start(both);
    const whole = await all(one.models);
    await file.write((transaction) => transaction.run('DELETE FROM "accounts@v1" WHERE key < ?', 's15'));
    await one.projector.rebuild('accounts');
    expect(await all(one.models)).toEqual(whole);
    await file.write((transaction) => transaction.run('DELETE FROM "accounts@v1.1"'));
    await one.projector.rebuild('accounts');
    expect(await all(one.models)).toEqual(whole);
    await one.projector.stop();
    const { models } = await start(both);
    expect([models.generation('accounts'), models.generation('totals')]).toEqual([2, 0]);
    expect(await all(models)).toEqual(whole);
  });

  it('refuses a second rebuild, and an unknown read model', async () => {
    const { start } = await filled(20);
    const { projector } = await start(both);
    const first = projector.rebuild('accounts');
    await expect(projector.rebuild('accounts')).rejects.toThrow(RebuildRunning);
    await first;
    expect(() => projector.rebuild('nothing')).toThrow('there is no projection nothing');
  });

  it('that was interrupted is continued by the next process from where it stopped', async () => {
    const { start, store, file } = await filled(1_300);
    const slow = gated(store);
    const one = await start(both, { store: slow.store });
    await waitUntil(() => one.projector.ready().length === 0);
    slow.gate.end = 600;
    const interrupted = one.projector.rebuild('accounts').catch((error: unknown) => error);
    await reached(one.projector, 600);
    const stopped = one.projector.stop();
    slow.gate.end = Infinity;
    await stopped;
    expect(await interrupted).toBeInstanceOf(RebuildInterrupted);
    expect(idsIn(file)).toContain('accounts@v1.1');
    const reads: number[] = [];
    const watched = Object.create(store, {
      readAll: { value: (after: number, ...rest: [number, number?]) => (reads.push(after), store.readAll(after, ...rest)) },
    }) as EventStore;
    const { models, projector } = await start(both, { store: watched });
    await waitUntil(() => models.generation('accounts') === 1 && !idsIn(file).includes('accounts@v1'));
    expect(Math.min(...reads)).toBeGreaterThanOrEqual(600);
    expect((await projector.verify('accounts')).differing).toEqual([]);
  });

  it('of a process that was killed is continued by the next one', async () => {
    const { append, start, store, file } = await filled(1_300);
    const slow = gated(store);
    const one = await start(both, { store: slow.store });
    await waitUntil(() => one.projector.ready().length === 0);
    slow.gate.end = 600;
    const interrupted = one.projector.rebuild('accounts').catch(() => undefined);
    await reached(one.projector, 600);
    await append('s1', { type: 'Deposited', amount: 7 });
    // The file and its log, as a kill leaves them.
    const directory = await mkdtemp(join(tmpdir(), 'killed-'));
    atEnd(() => rm(directory, { recursive: true }));
    const path = file.get<{ file: string }>('PRAGMA database_list')!.file;
    for (const end of ['', '-wal']) copyFileSync(path + end, join(directory, `service.db${end}`));
    slow.gate.end = Infinity;
    const expected = await all(one.models);
    await interrupted;
    const copy = await openSqliteFile(join(directory, 'service.db'));
    atEnd(() => copy.close());
    const models = await openSqliteReadModels(copy);
    const again = await openSqliteEventStore(copy, { beside: models.besideAppend(both) });
    atEnd(() => again.close());
    expect(idsIn(copy)).toEqual(['accounts@v1', 'accounts@v1.1', 'totals@v1']);
    const projector = new Projector({ store: again, models, projections: both });
    atEnd(() => projector.stop());
    await projector.start();
    await waitUntil(() => idsIn(copy).length === 2);
    expect(idsIn(copy)).toEqual(['accounts@v1.1', 'totals@v1']);
    expect(await all(models)).toEqual(expected);
  });

  it('leaves the served rows unchanged if an event cannot be applied', async () => {
    const { append, start, file } = await filled(20);
    let isBroken = false;
    const { models, projector } = await start([breaking((event) => isBroken && event.type === 'Renamed')]);
    await append('s1', { type: 'Renamed', owner: 'new' });
    isBroken = true;
    await expect(projector.rebuild('accounts')).rejects.toThrow(ProjectionStopped);
    expect(idsIn(file)).toEqual(['accounts@v1']);
    expect(await models.get(accounts, 's1')).toMatchObject({ owner: 'new' });
    isBroken = false;
    await projector.rebuild('accounts');
    expect(models.generation('accounts')).toBe(1);
  });

  it('lets a stopped read model continue when the cause is fixed', async () => {
    const { append, start } = await filled(20);
    let isBroken = true;
    const repaired = breaking((event) => isBroken && event.type === 'Renamed');
    const { models, projector, failures } = await start([repaired]);
    await append('s1', { type: 'Renamed', owner: 'new' });
    await waitUntil(() => failures.length === 1);
    isBroken = false;
    await projector.rebuild('accounts');
    expect(await models.get(accounts, 's1')).toMatchObject({ owner: 'new' });
    expect((await projector.lag())[0]).toMatchObject({ stopped: null, behind: 0 });
  });
});

describe("a rebuild of a read model of other services' events", () => {
  it('ends with the same rows, and continues with what its topics deliver', async () => {
    const { join: joins, neighbour, start, file } = await service();
    for (let number = 0; number < 900; number += 1) joins(`s${number % 7}`, `m${number}`);
    const { models, projector, rows, isReady } = await start();
    await waitUntil(isReady);
    joins('s1', 'more');
    await waitUntil(() => neighbour.isDelivered);
    await file.write((transaction) => transaction.run('DELETE FROM "lists@v1" WHERE key = ?', 's3'));
    const rebuilt = projector.rebuild('members');
    joins('s2', 'meanwhile');
    expect((await rebuilt).head).toBeGreaterThanOrEqual(901);
    expect(models.generation('members')).toBe(1);
    joins('s1', 'late');
    await waitUntil(() => (neighbour.offsets.get('analytics.members.v1.1')?.reduce((sum, offset) => sum + offset, 0) ?? 0) >= 903);
    await waitUntil(() => projector.ready().length === 0);
    expect(await rows()).toEqual(bySubject(neighbour));
    expect(await models.get(groups, 'all')).toEqual({ size: 903 });
    expect((await projector.lag())[0]).toMatchObject({ group: 'analytics.members.v1.1', stopped: null });
    expect(idsIn(file).filter((id) => !id.startsWith('members@v1.1'))).toEqual([]);
  });

  it('leaves the served rows unchanged if an event cannot be applied', async () => {
    const { join: joins, neighbour, start } = await service();
    joins('s1', 'a');
    const { models, projector, rows, isReady } = await start(members);
    await waitUntil(isReady);
    await waitUntil(() => neighbour.isDelivered);
    broken.add('a');
    await expect(projector.rebuild('members')).rejects.toThrow(ProjectionStopped);
    broken.clear();
    joins('s1', 'b');
    await waitUntil(() => neighbour.offsets.get('analytics.members.v1')!.reduce((sum, offset) => sum + offset, 0) === 2);
    expect([models.generation('members'), await rows()]).toEqual([0, { s1: ['a', 'b'] }]);
  });
});
