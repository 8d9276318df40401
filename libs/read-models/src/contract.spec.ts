import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openSqliteFile } from '@parlance/sqlite';
import type { Build } from './builds.ts';
import { changed } from './changes.ts';
import { onStage, readModelsContract, type Stage } from './contract.ts';
import { type Batch, type Cursor, type Page, type Query, ReadModels, type Row, type Table, type TableOwner } from './read-models.ts';
import { openSqliteReadModels } from './sqlite.ts';

/** A sound adapter, handed through: each of the broken ones below gets one thing wrong. */
class Sound extends ReadModels {
  constructor(protected readonly inner: ReadModels) {
    super();
  }
  get builds() {
    return this.inner.builds;
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
  apply(batch: Batch): Promise<boolean> {
    return this.inner.apply(batch);
  }
  unseen(projection: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.inner.unseen(projection, ids);
  }
  pruneSeen(before: number): Promise<number> {
    return this.inner.pruneSeen(before);
  }
  checkpoint(projection: string): Promise<number> {
    return this.inner.checkpoint(projection);
  }
  at(build: Build): ReadModels {
    return new (this.constructor as typeof Sound)(this.inner.at(build));
  }
  close(): Promise<void> {
    return this.inner.close();
  }
}

class CheckpointByItself extends Sound {
  override async apply(batch: Batch): Promise<boolean> {
    if (!batch.checkpoint) return super.apply(batch);
    await this.inner.apply({ ...batch, changes: [] });
    const { to } = batch.checkpoint;
    return this.inner.apply({ ...batch, checkpoint: { from: to, to } });
  }
}

class RowsBeforeCheckpoint extends Sound {
  override async apply(batch: Batch): Promise<boolean> {
    const at = await this.inner.checkpoint(batch.projection);
    if (!batch.checkpoint) return super.apply(batch);
    await this.inner.apply({ ...batch, checkpoint: { from: at, to: at } });
    return this.inner.apply({ ...batch, changes: [] });
  }
}

class CheckpointFromAnywhere extends Sound {
  override async apply(batch: Batch): Promise<boolean> {
    if (!batch.checkpoint) return super.apply(batch);
    return this.inner.apply({ ...batch, checkpoint: { ...batch.checkpoint, from: await this.inner.checkpoint(batch.projection) } });
  }
}

class IgnoresSeen extends Sound {
  override async apply(batch: Batch): Promise<boolean> {
    await this.inner.apply({ ...batch, ...(batch.seen && { seen: await this.inner.unseen(batch.projection, batch.seen) }) });
    return true;
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
  override async apply(batch: Batch): Promise<boolean> {
    const changes = [];
    for (const change of batch.changes) {
      if (change.op !== 'add') changes.push(change);
      else {
        const row = changed(await this.inner.get(change.table, change.key), change);
        changes.push({ op: 'put' as const, table: change.table, key: change.key, row: row! });
      }
    }
    return this.inner.apply({ ...batch, changes });
  }
}

class ForgetsNulls extends Sound {
  override apply(batch: Batch): Promise<boolean> {
    const changes = batch.changes.map((change) =>
      change.op === 'patch'
        ? { ...change, fields: Object.fromEntries(Object.entries(change.fields).filter(([, value]) => value !== null)) }
        : change,
    );
    return this.inner.apply({ ...batch, changes });
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
  it('passes an adapter that is handed through', async () => {
    const cases = ['loses no addition of those made at once', 'writes all of a batch or nothing', 'has the effect of a foreign event once'];
    expect(await failing(Sound, cases)).toEqual([]);
  });

  it.each([
    [CheckpointByItself, 'writes all of a batch or nothing'],
    [RowsBeforeCheckpoint, 'writes nothing of a batch from a wrong place'],
    [RowsBeforeCheckpoint, 'lets one of several racers from one place win'],
    [CheckpointFromAnywhere, 'writes nothing of a batch from a wrong place'],
    [IgnoresSeen, 'has the effect of a foreign event once'],
    [CursorByOffset, 'repeats and skips no row while others come and go'],
    [CursorWithoutTies, 'goes on after the last row of a page, also where its values are those of the next'],
    [AddByReadThenPut, 'loses no addition of those made at once'],
    [ForgetsNulls, 'patches the fields named and no others, with null too'],
  ])('finds out %p', async (adapter, name) => expect(await failing(adapter, [name])).toEqual([name]));
});
