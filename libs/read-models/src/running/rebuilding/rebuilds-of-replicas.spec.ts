import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ReadModelBuilding, RebuildRunning } from '../../errors.ts';
import type { Generation, ReadModels } from '../../read-models.ts';
import type { NextRows } from './next-rows.ts';
import { Rebuilds } from './rebuilds.ts';

const owner = { name: 'accounts', version: 1, tables: [] };
const SECOND = 1_000;
/** Rows of a generation that a process has declared this many seconds ago. */
const rowsOf = (number: number, secondsAgo: number, ready = true): Generation => ({
  number,
  ready,
  usedAt: Date.now() - secondsAgo * SECOND,
});

/** The rebuilds of one replica, whose read models other replicas use too. It records what is done to the stored rows. */
function replica(generations: readonly Generation[], { current = 0, built = 1 } = {}) {
  const done: string[] = [];
  const note = (what: string) => void done.push(what);
  const models = {
    isShared: true,
    generation: () => current,
    generations: async () => generations,
    built: () => built,
    prepare: async () => note('prepare'),
    beside: (number: number) => ({ prepare: async () => note(`prepare ${number}`), drop: async () => note(`drop ${number}`) }),
    adopt: async (_: string, number: number) => note(`adopt ${number}`),
  } as unknown as ReadModels;
  const rows: NextRows = {
    progress: async () => ({ position: 5, head: 5, events: 5 }),
    includesServed: async () => true,
    replaceServed: async (until, adopt) => {
      await until();
      await adopt();
    },
    end: async () => undefined,
  };
  const rebuilds = new Rebuilds({
    models,
    owners: [owner],
    begin: async () => rows,
    inTurn: (_, work) => work(),
    report: ({ error }) => note(`report ${String(error)}`),
  });
  started.push(rebuilds);
  return { done, rebuilds };
}

const started: Rebuilds[] = [];
afterEach(async () => {
  for (const rebuilds of started.splice(0)) await rebuilds.stop();
});

describe('a rebuild by one of several replicas', () => {
  it('creates the next generation, and leaves the earlier rows to the other replicas', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 1)]);
    await rebuilds.rebuild('accounts');
    expect(done).toEqual(['prepare 1', 'adopt 1', 'prepare 0']);
  });
  it('is refused while another replica rebuilds', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 1), rowsOf(1, 5, false)]);
    await expect(rebuilds.rebuild('accounts')).rejects.toThrow(RebuildRunning);
    expect(done).toEqual([]);
  });
  it('is refused while newer rows of another replica are ready and not in use here', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 1), rowsOf(1, 600)]);
    await expect(rebuilds.rebuild('accounts')).rejects.toThrow(RebuildRunning);
    expect(done).toEqual([]);
  });
  it('continues the rebuild of a replica that was killed', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 1), rowsOf(1, 60, false)]);
    await rebuilds.rebuild('accounts');
    expect(done).toEqual(['prepare 1', 'adopt 1', 'prepare 0']);
  });
  it('is refused before the rows were built for the first time', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 1, false)], { built: 0.5 });
    await expect(rebuilds.rebuild('accounts')).rejects.toThrow(ReadModelBuilding);
    expect(done).toEqual([]);
  });
});

describe('a replica that looks for rebuilds of others', () => {
  it('adopts newer rows that are ready', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 1), rowsOf(1, 1)]);
    await rebuilds.tend(owner);
    await waitFor(() => done.includes('adopt 1'), { what: 'the newer rows' });
  });
  it('does not touch rows that another replica is building', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 1), rowsOf(1, 5, false)]);
    await rebuilds.tend(owner);
    await rebuilds.stop();
    expect(done).toEqual(['prepare']);
  });
  it('removes earlier rows when no replica has used them for a minute', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 120), rowsOf(1, 30), rowsOf(2, 1)], { current: 2 });
    await rebuilds.tend(owner);
    expect(done).toEqual(['prepare', 'prepare 0', 'drop 0']);
  });
  it('never removes the rows that it serves', async () => {
    const { done, rebuilds } = replica([rowsOf(0, 120), rowsOf(1, 5, false)]);
    await rebuilds.tend(owner);
    expect(done).toEqual(['prepare']);
  });
});
