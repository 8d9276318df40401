import type { Collection, Db } from 'mongodb';
import type { Declarations, Declared } from '../declared.ts';
import type { Table } from '../table.ts';
import type { RowDocument } from './documents.ts';
import type { MongoRecords } from './records.ts';

interface Where {
  readonly db: Db;
  readonly records: MongoRecords;
  readonly believedMs: number;
}

/** Reads rows that are ready. Rows count as ready for `believedMs` after their record was read. */
export class ReadyRows {
  constructor(
    private readonly where: Where,
    private readonly declarations: Declarations,
  ) {}

  /** Rows may be dropped during a slow read. Its result, or its failure, counts only if the rows are still ready at its end. */
  async read<T>(table: Table, read: (rows: Collection<RowDocument>) => Promise<T>): Promise<T> {
    const declared = this.declarations.of(table);
    await this.requireReady(declared);
    const found = read(this.where.db.collection(table.name + declared.suffix));
    await Promise.allSettled([found]);
    await this.requireReady(declared);
    return found;
  }

  /** Notes the content of a record that was requested at this time. */
  believe(declared: Declared, isReady: boolean, askedAt: number): void {
    declared.ready = isReady;
    declared.lookAgainAt = askedAt + this.where.believedMs;
  }

  private async requireReady(declared: Declared): Promise<void> {
    const now = performance.now();
    // Another process may have removed the rows since.
    if (declared.ready && now <= declared.lookAgainAt) return;
    const stored = await this.where.records.of(declared.id, '');
    this.believe(declared, stored?.ready === true && !stored.leaving, now);
    if (!declared.ready) throw declared.building();
  }
}
