import { describe, expect, it } from '@jest/globals';
import { fixtureOf, RowsInMemory } from './fixtures.ts';
import { subjectKeysCases } from './contract.ts';
import type { KeyRow } from '../src/stored-subject-keys.ts';

async function failuresOf(makeRows: () => RowsInMemory): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of subjectKeysCases) {
    await run(fixtureOf(makeRows())).catch(() => failed.push(name));
  }
  return failed;
}

class KeepsTheKeyAfterShredding extends RowsInMemory {
  override async destroy(id: string): Promise<boolean> {
    return (this.rows.get(id)?.wrapped ?? null) !== null;
  }
}

class LeavesNoTombstone extends RowsInMemory {
  override async destroy(id: string): Promise<boolean> {
    return this.rows.delete(id);
  }
}

class LetsEveryRacerWin extends RowsInMemory {
  override async keep(row: KeyRow): Promise<KeyRow> {
    if (row.id === '@master') return super.keep(row);
    this.rows.set(row.id, row);
    return row;
  }
}

class LetsEveryCompanionWin extends RowsInMemory {
  override keepIn(_: never, row: KeyRow): KeyRow {
    this.rows.set(row.id, row);
    return row;
  }
}

class ForgetsOuters extends RowsInMemory {
  override async find(subjectId: string): Promise<KeyRow | null> {
    const row = await super.find(subjectId);
    return row && { ...row, within: null };
  }
}

class ForgetsTheProof extends RowsInMemory {
  override async keep(row: KeyRow): Promise<KeyRow> {
    return row.id === '@master' ? row : super.keep(row);
  }
}

class LetsEveryShredderWin extends RowsInMemory {
  override async destroy(subjectId: string): Promise<boolean> {
    const had = (this.rows.get(subjectId)?.wrapped ?? null) !== null;
    await new Promise(setImmediate);
    await super.destroy(subjectId);
    return had;
  }
}

describe('the contract for subject keys', () => {
  it('is met by a correct store', async () => expect(await failuresOf(() => new RowsInMemory())).toEqual([]));

  it('catches a store that still has the key after shredding', async () =>
    expect(await failuresOf(() => new KeepsTheKeyAfterShredding())).toEqual(
      expect.arrayContaining(['destroys a key once and for all', 'never gives a shredded subject a new key']),
    ));

  it('catches a store that leaves no tombstone', async () =>
    expect(await failuresOf(() => new LeavesNoTombstone())).toEqual(
      expect.arrayContaining(['never gives a shredded subject a new key', 'remembers the shredding of a subject that never had a key']),
    ));

  it('catches a store that gives concurrent callers different keys', async () =>
    expect(await failuresOf(() => new LetsEveryRacerWin())).toEqual(['gives concurrent callers the same new key']));

  it('catches a store whose companions replace a stored key', async () =>
    expect(await failuresOf(() => new LetsEveryCompanionWin())).toEqual([
      'keeps the first key that is stored, and passes another one to the companion',
      'stores no key that was prepared before its subject was shredded',
    ]));

  it('catches a store that forgets outer subjects', async () =>
    expect(await failuresOf(() => new ForgetsOuters())).toContain('makes inner subjects of a shredded subject unreadable, and no others'));

  it('catches a store that accepts any master key', async () =>
    expect(await failuresOf(() => new ForgetsTheProof())).toEqual(['is not opened with another master key']));

  it('catches a store that returns true to every concurrent shred', async () =>
    expect(await failuresOf(() => new LetsEveryShredderWin())).toEqual(['lets exactly one of many concurrent shreds destroy the key']));
});
