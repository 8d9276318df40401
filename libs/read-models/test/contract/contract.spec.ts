import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openSqliteFile } from '@parlance/sqlite';
import { changed } from '../../src/changes.ts';
import { onStage, readModelsContract, type Stage } from './contract.ts';
import {
  type Batch,
  type Cursor,
  type Generation,
  type Page,
  type Parked,
  type Parking,
  type Progress,
  type Query,
  ReadModels,
  type Step,
} from '../../src/read-models.ts';
import { openSqliteReadModels } from '../../src/sqlite/sqlite-read-models.ts';
import type { Change, Row, Table, TableOwner } from '../../src/table.ts';

/** A correct adapter, passed through. Each of the broken ones below gets one thing wrong. */
class Sound extends ReadModels {
  constructor(protected readonly inner: ReadModels) {
    super();
  }
  get isShared(): boolean {
    return this.inner.isShared;
  }
  generation(projection: string): number {
    return this.inner.generation(projection);
  }
  generations(projection: string): Promise<readonly Generation[]> {
    return this.inner.generations(projection);
  }
  beside(generation: number): ReadModels {
    return new (this.constructor as typeof Sound)(this.inner.beside(generation));
  }
  adopt(projection: string, generation: number): Promise<void> {
    return this.inner.adopt(projection, generation);
  }
  built(projection: string): number {
    return this.inner.built(projection);
  }
  prepare(owners: readonly TableOwner[]): Promise<void> {
    return this.inner.prepare(owners);
  }
  get<R extends Row>(table: Table<R>, key: string): Promise<R | null> {
    return this.inner.get(table, key);
  }
  getMany<R extends Row>(table: Table<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>> {
    return this.inner.getMany(table, keys);
  }
  find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>> {
    return this.inner.find(table, query);
  }
  progress(projection: string, line?: string): Promise<Progress> {
    return this.inner.progress(projection, line);
  }
  lines(projection: string): Promise<ReadonlyMap<string, string>> {
    return this.inner.lines(projection);
  }
  apply(batch: Batch): Promise<Progress> {
    return this.inner.apply(batch);
  }
  parked(projection: string, limit: number): Promise<readonly Parked[]> {
    return this.inner.parked(projection, limit);
  }
  letters(projection: string, entry: Pick<Parked, 'line' | 'key'>, limit: number): Promise<readonly Parking[]> {
    return this.inner.letters(projection, entry, limit);
  }
  drop(projection: string): Promise<void> {
    return this.inner.drop(projection);
  }
  sweep(before: number): Promise<readonly string[]> {
    return this.inner.sweep(before);
  }
  removeBefore(table: Table, key: string): Promise<number> {
    return this.inner.removeBefore(table, key);
  }
  removeUpTo(table: Table, index: string, limit: number): Promise<number> {
    return this.inner.removeUpTo(table, index, limit);
  }
  scratch(): ReadModels {
    return new (this.constructor as typeof Sound)(this.inner.scratch());
  }
  close(): Promise<void> {
    return this.inner.close();
  }
}

function withChanges(batch: Batch, change: (changes: readonly Change[], step: Step) => readonly Change[]): Batch {
  return { ...batch, steps: batch.steps.map((step) => ({ ...step, changes: change(step.changes, step) })) };
}

class RecordBeforeRows extends Sound {
  override async apply(batch: Batch): Promise<Progress> {
    const from = await this.inner.apply(withChanges(batch, () => []));
    await this.inner.apply({ from, steps: batch.steps.map(({ changes }) => ({ changes })) });
    return this.inner.progress(from.projection, from.line);
  }
}

class FromAnyRecord extends Sound {
  override async apply(batch: Batch): Promise<Progress> {
    const { projection, line } = batch.from;
    return this.inner.apply({ ...batch, from: await this.inner.progress(projection, line) });
  }
}

class ReadyAtOnce extends Sound {
  override async prepare(owners: readonly TableOwner[]): Promise<void> {
    await this.inner.prepare(owners);
    for (const { name } of owners) await this.inner.apply({ from: await this.inner.progress(name), steps: [], reached: 1 });
  }
}

class OneVersionOfRows extends Sound {
  override prepare(owners: readonly TableOwner[]): Promise<void> {
    return this.inner.prepare(owners.map((owner) => ({ ...owner, version: 1 })));
  }
}

class SweepsAll extends Sound {
  override sweep(): Promise<readonly string[]> {
    return this.inner.sweep(Infinity);
  }
}

class RemovesOneRowMore extends Sound {
  override removeBefore(table: Table, key: string): Promise<number> {
    return this.inner.removeBefore(table, `${key}|2`);
  }
}

class RemovesOneMoreValue extends Sound {
  override removeUpTo(table: Table, index: string, limit: number): Promise<number> {
    return this.inner.removeUpTo(table, index, limit + 1);
  }
}

class LosesLetters extends Sound {
  override apply(batch: Batch): Promise<Progress> {
    const steps = batch.steps.map(({ park, ...step }) => ({ ...step, ...(park && { park: { ...park, letter: undefined } }) }));
    return this.inner.apply({ ...batch, steps });
  }
}

class PagesOfAnySize extends Sound {
  override find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>> {
    return this.inner.find(table, { ...query, bytes: Infinity });
  }
}

class CursorByOffset extends Sound {
  override async find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>> {
    const { after, ...rest } = query;
    const skip = after ? Number(after.at(-1)) : 0;
    const { rows, keys, next } = await this.inner.find(table, { ...rest, limit: query.limit + skip });
    const cursor: Cursor | null = next && [...next.slice(0, -1), String(skip + query.limit)];
    return { rows: rows.slice(skip), keys: keys.slice(skip), next: cursor };
  }
}

class CursorWithoutTies extends Sound {
  override async find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>> {
    const page = await this.inner.find(table, query);
    const past = query.order === 'desc' ? '' : '\uffff\uffff';
    return { ...page, next: page.next && (query.index === 'key' ? page.next : [...page.next.slice(0, -1), past]) };
  }
}

class AddByReadThenPut extends Sound {
  override async apply(batch: Batch): Promise<Progress> {
    const rows = new Map<Change, Change>();
    for (const change of batch.steps.flatMap(({ changes }) => changes)) {
      if (change.op !== 'add') continue;
      const row = changed(await this.inner.get(change.table, change.key), change);
      rows.set(change, { op: 'put', table: change.table, key: change.key, row: row! });
    }
    return this.inner.apply(withChanges(batch, (changes) => changes.map((change) => rows.get(change) ?? change)));
  }
}

class ForgetsNulls extends Sound {
  override apply(batch: Batch): Promise<Progress> {
    const without = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    const forget = (change: Change): Change => (change.op === 'patch' ? { ...change, fields: without(change.fields) } : change);
    return this.inner.apply(withChanges(batch, (changes) => changes.map(forget)));
  }
}

async function open(adapter: typeof Sound): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'read-models-'));
  const file = await openSqliteFile(join(directory, 'models.db'));
  return {
    models: new adapter(await openSqliteReadModels(file)),
    reopen: async () => new adapter(await openSqliteReadModels(file)),
    close: async () => {
      await file.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function failing(adapter: typeof Sound, cases = Object.keys(readModelsContract)): Promise<string[]> {
  const failed: string[] = [];
  for (const name of cases) await onStage(() => open(adapter), readModelsContract[name]!).catch(() => failed.push(name));
  return failed;
}

describe('the contract of read models', () => {
  it('passes a correct adapter', async () => expect(await failing(Sound)).toEqual([]));

  it.each([
    [RecordBeforeRows, 'writes a batch completely or not at all'],
    [FromAnyRecord, 'writes nothing of a batch from a record that has changed'],
    [FromAnyRecord, 'keeps a record for each partition, created in the same write as the main record'],
    [ReadyAtOnce, 'refuses queries until the rows are ready, and reports the progress'],
    [OneVersionOfRows, 'keeps two versions side by side, each with its own record'],
    [SweepsAll, 'sweeps versions that are no longer used, and no others'],
    [RemovesOneRowMore, 'removes the rows before a key once the rows are ready, and no others'],
    [RemovesOneMoreValue, 'removes the rows up to a value of an index once the rows are ready, and no others'],
    [LosesLetters, 'sets keys aside in the same write as the other changes'],
    [PagesOfAnySize, 'ends a page at its byte limit, and continues after it'],
    [CursorByOffset, 'neither repeats nor skips a row while other rows are added and removed'],
    [CursorWithoutTies, 'continues after the last row of a page, even if the next row has equal values'],
    [AddByReadThenPut, 'loses no addition or update of concurrent batches'],
    [ForgetsNulls, 'patches only the named fields, also with null'],
  ])('detects %p', async (adapter, name) => expect(await failing(adapter, [name])).toEqual([name]));
});
