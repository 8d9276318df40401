import { describe, expect, it } from '@jest/globals';
import { limitRowsCases, limitRowsContract } from './contract.ts';
import { MemoryLimitRows } from '../src/memory-rows.ts';
import type { LimitRows, RowChanged } from '../src/rows.ts';

type Change<Row, Answer> = (row: Row | null, now: number) => RowChanged<Row, Answer>;

const fixtureOf = (rows: LimitRows) => ({ open: async () => rows, remove: async () => undefined });

class InMemory extends MemoryLimitRows {
  constructor() {
    super({ outlivedMillis: 0 });
  }
}

/** Broken on purpose: reads a row, waits, and then writes a change of the old row. */
class ReadsTooEarly extends InMemory {
  override async change<Row extends object, Answer>(key: string, change: Change<Row, Answer>): Promise<Answer> {
    const read = await super.change<Row, Row | null>(key, (row) => ({ row, keptMillis: 60_000, answer: row }));
    await new Promise(setImmediate);
    return super.change<Row, Answer>(key, (_, now) => change(read, now));
  }
}

class NeverRemoves extends InMemory {
  override async change<Row extends object, Answer>(key: string, change: Change<Row, Answer>): Promise<Answer> {
    return super.change<Row, Answer>(key, (row, now) => {
      const changed = change(row, now);
      return { ...changed, row: changed.row ?? row, keptMillis: 60_000 };
    });
  }
}

class HasNoTime extends InMemory {
  private left = 0;
  override async change<Row extends object, Answer>(key: string, change: Change<Row, Answer>): Promise<Answer> {
    return super.change<Row, Answer>(key, (row) => change(row, (this.left -= 1)));
  }
}

async function failuresOf(make: () => LimitRows): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of limitRowsCases) await run(fixtureOf(make())).catch(() => failed.push(name));
  return failed;
}

limitRowsContract('Memory', async () => fixtureOf(new InMemory()));

describe('the contract of limit rows', () => {
  it('passes for a correct store', async () => expect(await failuresOf(() => new InMemory())).toEqual([]));
  it('fails for a store whose changes are not atomic', async () =>
    expect(await failuresOf(() => new ReadsTooEarly())).toContain('loses none of many concurrent changes'));
  it('fails for a store that removes nothing', async () =>
    expect(await failuresOf(() => new NeverRemoves())).toEqual([
      'removes a row that a change makes null, and begins again',
      'forgets a row that is no longer kept',
    ]));
  it('fails for a store whose time steps back', async () =>
    expect(await failuresOf(() => new HasNoTime())).toContain('has one advancing time for all replicas'));
});

describe('rows in memory', () => {
  it('are removed when they are no longer requested', async () => {
    let now = 0;
    const rows = new MemoryLimitRows({ outlivedMillis: 0, now: () => now });
    const put = (key: string, keptMillis: number) => rows.change(key, () => ({ row: {}, keptMillis, answer: null }));
    for (let n = 0; n < 100; n++) await put(`k${n}`, 1_000);
    now = 2_000;
    for (let n = 0; n < 60; n++) await put('other', 1_000);
    expect(rows.size).toBe(1);
  });
  it('are not used after they have expired, even before they are removed', async () => {
    let now = 0;
    const rows = new MemoryLimitRows({ outlivedMillis: 0, now: () => now });
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    for (const key of keys) await rows.change(key, () => ({ row: {}, keptMillis: 1_000, answer: null }));
    now = 1_000;
    const found = (key: string) => rows.change(key, (row) => ({ row, keptMillis: 1_000, answer: row }));
    for (const key of keys.toReversed()) expect(await found(key)).toBeNull();
  });
  it('are not used until shares of an earlier process have ended', async () => {
    let now = 0;
    const rows = new MemoryLimitRows({ outlivedMillis: 1_000, now: () => now });
    const ask = () => rows.change('k', () => ({ row: null, keptMillis: 0, answer: 'done' }));
    await expect(ask()).rejects.toMatchObject({ code: 'limits_starting', facts: { retry_after: 1 } });
    now = 1_000;
    expect(await ask()).toBe('done');
  });
});
