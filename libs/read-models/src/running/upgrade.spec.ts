import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@parlance/event-store';
import {
  type AccountEvent,
  accounts,
  accountsProjection,
  breaking,
  both,
  endAll,
  totals,
  totalsProjection,
  waitUntil,
  world,
} from '../../test/accounts.ts';
import { put } from '../changes.ts';
import { ReadModelBuilding } from '../errors.ts';
import { type Projection, projection } from '../projection.ts';

const gates: { end: number }[] = [];

afterEach(async () => {
  // A projector that waits at a gate would not stop.
  for (const gate of gates.splice(0)) gate.end = Infinity;
  await endAll();
});

/** Raises the version: owners in capitals. */
const shouting: Projection = projection<AccountEvent>({
  name: 'accounts',
  version: 2,
  tables: [accounts],
  on: { Opened: ({ owner }, { stream }) => [put(accounts, stream, { owner: owner.toUpperCase(), balance: 0, names: [] })] },
});

/** A store that gives readers of the log no commits after the gate: they wait for it to be moved. */
function gated(store: EventStore) {
  const gate = { end: 0, reads: [] as number[] };
  gates.push(gate);
  const readAll = async (after: number, commits: number, bytes?: number) => {
    gate.reads.push(after);
    await waitUntil(() => after < gate.end);
    return store.readAll(after, Math.min(commits, gate.end - after), bytes);
  };
  return { gate, store: Object.create(store, { readAll: { value: readAll } }) as EventStore };
}

async function filled(count: number) {
  const here = await world();
  for (let number = 0; number < count; number += 1) await here.append(`s${number}`, { type: 'Opened', owner: 'ann' });
  return here;
}

describe('a raised version', () => {
  it('catches up while the old rows are queried and kept up to date, and reports a progress from 0 to 1 until it is complete', async () => {
    const { append, start, store } = await filled(1_200);
    const old = await start(both, { inline: false });
    await waitUntil(() => old.projector.ready().length === 0);
    const { gate, store: slow } = gated(store);
    const { models, projector } = await start([shouting], { store: slow });
    expect(projector.ready()).toEqual([{ projection: 'accounts', progress: 0 }]);
    await expect(models.get(accounts, 's1')).rejects.toThrow(ReadModelBuilding);
    gate.end = 600;
    await waitUntil(() => (projector.ready()[0]?.progress ?? 0) >= 0.5);
    expect(projector.ready()).toEqual([{ projection: 'accounts', progress: 0.5 }]);
    await expect(models.get(accounts, 's1')).rejects.toThrow('read model accounts is being built: 50 %');
    const position = await append('s1', { type: 'Deposited', amount: 3 });
    expect(await old.projector.includes(position)).toEqual({ behind: [] });
    expect(await old.models.get(accounts, 's1')).toMatchObject({ owner: 'ann', balance: 3 });
    gate.end = Infinity;
    await waitUntil(() => projector.ready().length === 0);
    expect(await models.get(accounts, 's1')).toMatchObject({ owner: 'ANN' });
    expect(await old.models.get(accounts, 's1')).toMatchObject({ owner: 'ann', balance: 3 });
  });

  it('does not make commands wait while it is built, and is reported as behind', async () => {
    const { append, start, store } = await filled(600);
    const { gate, store: slow } = gated(store);
    const { projector } = await start([shouting], { store: slow });
    gate.end = 1;
    expect(await projector.includes(await append('x', { type: 'Opened', owner: 'bob' }))).toEqual({ behind: ['accounts'] });
    gate.end = Infinity;
    await waitUntil(() => projector.ready().length === 0);
    expect(await projector.includes(await append('y', { type: 'Opened', owner: 'bob' }))).toEqual({ behind: [] });
  });

  it('continues from its checkpoint after a kill', async () => {
    const { start, store } = await filled(1_800);
    const { gate, store: slow } = gated(store);
    const first = await start([shouting], { store: slow });
    gate.end = 1_000;
    await waitUntil(() => (first.projector.ready()[0]?.progress ?? 1) > 0.5);
    const stopped = first.projector.stop();
    gate.end = Infinity;
    await stopped;
    const { at } = await first.models.progress('accounts');
    expect(Number(at)).toBeGreaterThanOrEqual(1_000);
    const next = gated(store);
    next.gate.end = Infinity;
    const { projector } = await start([shouting], { store: next.store });
    await waitUntil(() => projector.ready().length === 0);
    expect(Math.min(...next.gate.reads)).toBe(Number(at));
    expect((await projector.verify('accounts')).differing).toEqual([]);
  });

  it('can be rolled back: the old rows are then updated from their last position', async () => {
    const { append, start } = await filled(3);
    const old = await start(both);
    await append('s1', { type: 'Deposited', amount: 1 });
    await old.projector.stop();
    const raised = await start([shouting, totalsProjection]);
    await append('s1', { type: 'Deposited', amount: 2 });
    await append('s9', { type: 'Opened', owner: 'zoe' });
    expect((await raised.models.get(accounts, 's9'))?.owner).toBe('ZOE');
    await raised.projector.stop();
    const back = await start(both);
    await back.projector.includes(await append('s1', { type: 'Deposited', amount: 4 }));
    expect(await back.models.get(accounts, 's1')).toMatchObject({ owner: 'ann', balance: 7 });
    expect((await back.models.get(accounts, 's9'))?.owner).toBe('zoe');
    expect((await back.projector.verify('accounts')).differing).toEqual([]);
    expect(await back.models.get(totals, 'all')).toEqual({ deposits: 3, sum: 7 });
  });

  it('is removed when no process has declared it for a week', async () => {
    const { start, file } = await filled(3);
    const old = await start(both);
    await old.projector.stop();
    const again = await start([shouting, totalsProjection]);
    await again.projector.stop();
    const ids = () => Array.from(file.all<{ id: string }>('SELECT id FROM read_model_progress'), ({ id }) => id);
    expect(ids()).toEqual(['accounts@v1', 'accounts@v2', 'totals@v1']);
    const DAY = 24 * 60 * 60 * 1_000;
    await file.write((transaction) => transaction.run('UPDATE read_model_progress SET used_at = used_at - ?', 8 * DAY));
    const later = await start([shouting, totalsProjection]);
    await waitUntil(() => ids().length === 2);
    expect(ids()).toEqual(['accounts@v2', 'totals@v1']);
    expect((await later.models.get(accounts, 's1'))?.owner).toBe('ANN');
  });
});

describe('a new projection', () => {
  it('that fails on an old event stops, and delays no command', async () => {
    const { append, start } = await filled(700);
    await append('p', { type: 'Opened', owner: 'poison' });
    const poisoned = breaking((event) => event.type === 'Opened' && event.owner === 'poison');
    const { projector, failures } = await start([poisoned, totalsProjection]);
    await waitUntil(() => failures.length > 0);
    expect(failures).toEqual([{ projection: 'accounts', error: new Error('no such owner'), stopped: true }]);
    expect(await projector.includes(await append('a', { type: 'Opened', owner: 'ann' }))).toEqual({ behind: ['accounts'] });
    const [lag] = await projector.lag();
    expect(lag).toMatchObject({ projection: 'accounts', position: 700, behind: 2, ready: false, stopped: 'no such owner' });
  });
});

describe('what failed', () => {
  it('is retried by a redrive, and at the next start', async () => {
    const { append, start } = await world();
    let isBroken = true;
    const repaired = breaking((event) => isBroken && event.type === 'Renamed');
    const one = await start([repaired]);
    await append('a', { type: 'Opened', owner: 'ann' });
    await append('a', { type: 'Renamed', owner: 'bob' });
    await waitUntil(() => one.failures.length === 1);
    await one.projector.redrive('accounts');
    await waitUntil(() => one.failures.length === 2);
    isBroken = false;
    expect(await one.projector.redrive('accounts')).toEqual({ applied: [], parked: [] });
    await waitUntil(() => !one.projector.ready().length);
    expect(await one.projector.includes(2)).toEqual({ behind: [] });
    expect((await one.models.get(accounts, 'a'))?.owner).toBe('bob');
    isBroken = true;
    await append('a', { type: 'Renamed', owner: 'cid' });
    isBroken = false;
    const next = await start([accountsProjection]);
    expect(await next.projector.includes(3)).toEqual({ behind: [] });
    expect((await next.models.get(accounts, 'a'))?.owner).toBe('cid');
  });
});
