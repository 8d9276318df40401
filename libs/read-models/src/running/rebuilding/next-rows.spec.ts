import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { accountsProjection, both, endAll, waitUntil, world } from '../../../test/accounts.ts';
import { ProjectionStopped } from '../../errors.ts';
import type { ReadModels } from '../../read-models.ts';
import type { ForeignRunner } from '../foreign.ts';
import type { OwnRunner } from '../own.ts';
import { nextForeignRows, nextOwnRows, type NextRows, type Serving, untilIncluded } from './next-rows.ts';

afterEach(endAll);

/** Rows by partition. `served`, `next`: the stored positions of the served and of the next rows. `inMemory`: positions of the next rows. */
function foreignRows({
  served,
  next,
  inMemory = {},
}: Record<'served' | 'next', Record<string, string>> & { inMemory?: Record<string, string> }) {
  const placesIn = (places: Record<string, string>) =>
    ({
      progress: async (_: string, line: string) => ({ at: places[line] ?? '' }),
      lines: async () => new Map(Object.entries(served)),
    }) as unknown as ReadModels;
  const runner = {
    stopped: null as string | null,
    main: { progress: { ready: true } },
    trackers: new Map(Object.entries(inMemory).map(([line, at]) => [line, { at }])),
    start: () => undefined,
  };
  const foreign = { projection: { name: 'members' }, on: () => runner } as unknown as ForeignRunner;
  return { runner, rows: nextForeignRows({ models: placesIn(served) } as Serving, placesIn(next), foreign) };
}

describe("the next rows of other services' events", () => {
  it('include the served ones when they have reached the same position in each partition', async () => {
    const { rows } = foreignRows({ served: { a: '000000000012', b: '000000000007' }, next: { a: '000000000012', b: '000000000008' } });
    expect(await rows.includesServed()).toBe(true);
  });
  it('do not include the served ones while one partition lags', async () => {
    const { rows } = foreignRows({ served: { a: '000000000012', b: '000000000007' }, next: { a: '000000000012', b: '000000000006' } });
    expect(await rows.includesServed()).toBe(false);
  });
  it('also advance with events without changes', async () => {
    const { rows } = foreignRows({ served: { a: '000000000012' }, next: { a: '000000000010' }, inMemory: { a: '000000000012' } });
    expect(await rows.includesServed()).toBe(true);
  });
  it('are not waited for after they have stopped at an event', async () => {
    const { rows, runner } = foreignRows({ served: { a: '000000000012' }, next: { a: '000000000010' } });
    runner.stopped = 'broken';
    const reported: unknown[] = [];
    const waiting = untilIncluded(rows, new AbortController().signal, (error) => reported.push(error));
    await expect(waiting).rejects.toThrow(ProjectionStopped);
    expect(reported).toEqual([]);
  });
  it('are waited for while a store does not answer', async () => {
    let looks = 0;
    const rows = {
      includesServed: async () => {
        if (++looks === 1) throw new Error('away');
        return true;
      },
    } as unknown as NextRows;
    const reported: unknown[] = [];
    await untilIncluded(rows, new AbortController().signal, (error) => reported.push(error));
    expect([looks, reported]).toEqual([2, [new Error('away')]]);
  });
});

describe('the next rows of the own log', () => {
  /** The next rows of accounts in a service with one event, beside served rows that record the calls on them. */
  async function ownRows() {
    const { append, start, store } = await world();
    await append('s1', { type: 'Opened', owner: 'ann' });
    const { models, projector } = await start(both, { inline: false });
    await waitUntil(() => projector.ready().length === 0);
    const done: string[] = [];
    const note = (what: string) => async () => void done.push(what);
    const gate = { end: Infinity };
    const readAll = async (after: number, commits: number, bytes?: number) => {
      await waitUntil(() => after < gate.end);
      return store.readAll(after, Math.min(commits, gate.end - after), bytes);
    };
    const slow = Object.create(store, { readAll: { value: readAll } }) as EventStore;
    const tracker = { stopped: null, refresh: note('refresh') };
    const release = () => void done.push('release');
    const served = { projection: accountsProjection, hold: note('hold'), release, tracker } as unknown as OwnRunner;
    const next = models.beside(1);
    await next.prepare([accountsProjection]);
    const serving = { store: slow, models, report: () => undefined, wakeUp: () => void done.push('wake up') };
    const rows = await nextOwnRows(serving, next, served);
    await waitFor(() => rows.includesServed(), { what: 'the next rows' });
    return { append, done, gate, note, projector, rows };
  }

  it('replace the served ones while nothing writes those, and only when they include them', async () => {
    const { done, note, rows } = await ownRows();
    await rows.replaceServed(note('included'), note('adopt'));
    expect(done).toEqual(['hold', 'included', 'adopt', 'refresh', 'release', 'wake up']);
  });
  it('leave the served ones in use if they cannot include them', async () => {
    const { done, note, rows } = await ownRows();
    const away = () => Promise.reject(new Error('away'));
    await expect(rows.replaceServed(away, note('adopt'))).rejects.toThrow('away');
    await rows.end();
    expect(done).toEqual(['hold', 'release', 'wake up']);
  });
  it('do not include the served ones while the served ones are ahead', async () => {
    const { append, gate, projector, rows } = await ownRows();
    gate.end = 1;
    await projector.includes(await append('s1', { type: 'Deposited', amount: 1 }));
    expect(await rows.includesServed()).toBe(false);
    gate.end = Infinity;
    await waitFor(() => rows.includesServed(), { what: 'the next rows' });
    await rows.end();
  });
});
