import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change, ReadModels, TableOwner } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';

/** Rows of one projection in a file, which no projector updates. */
export interface StoredRows {
  readonly models: ReadModels;
  /** How many rows queries have read since the last call, by table. */
  read(): Readonly<Record<string, number>>;
  write(changes: readonly (readonly Change[])[]): Promise<void>;
  end(): Promise<void>;
}

export async function storedRows(owner: TableOwner): Promise<StoredRows> {
  const directory = await mkdtemp(join(tmpdir(), 'rows-'));
  const file = await openSqliteFile(join(directory, 'service.db'), { sync: () => Promise.resolve() });
  const models = await openSqliteReadModels(file);
  await models.prepare([owner]);
  let read: Record<string, number> = {};
  let written = 0;
  const find = models.find.bind(models);
  models.find = async (table, query) => {
    const page = await find(table, query);
    read[table.name] = (read[table.name] ?? 0) + page.rows.length;
    return page;
  };
  return {
    models,
    read() {
      const before = read;
      read = {};
      return before;
    },
    async write(changes) {
      const steps = changes.map((each, index) => ({ to: `${written + index + 1}`, changes: each }));
      let from = await models.progress(owner.name);
      // A write may end after any of its steps.
      for (let at = 0; at < steps.length; at = Number(from.at) - written)
        from = await models.apply({ from, steps: steps.slice(at), reached: 1 });
      written += steps.length;
    },
    async end() {
      await file.close();
      await rm(directory, { recursive: true });
    },
  };
}
