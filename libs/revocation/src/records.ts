import type { EventStore } from '@parlance/event-store';
import type { Cursor, Projector, Query, ReadModels } from '@parlance/read-models';
import { type RevocationRow, revocationRows } from './rows.ts';

/** The revocations in the owner's database. */
export abstract class RevocationRecords {
  /** How far the rows reach. A caller that asks this first, and for rows then, gets all that were written up to there. */
  abstract reached(): Promise<number>;
  /** Rows of events after a position. */
  abstract since(position: number): Promise<readonly RevocationRow[]>;
  /** Rows that still mattered at a time, lifted ones apart. */
  abstract holding(at: number): Promise<readonly RevocationRow[]>;
  abstract of(keys: readonly string[]): Promise<readonly RevocationRow[]>;
  /** The end of the log: rows don't reach it at once. */
  abstract head(): Promise<number>;
  /** Resolves when the log may have grown past a position: a hint. */
  abstract grown(after: number, signal: AbortSignal): Promise<void>;
}

const PAGE = 1_000;

/** The records of a service's own log and read models. */
export class StoredRevocations extends RevocationRecords {
  constructor(
    private readonly store: EventStore,
    private readonly models: ReadModels,
    /** How far the projection that fills the rows has come. */
    private readonly projector: Pick<Projector, 'reached'>,
    private readonly projection: string,
  ) {
    super();
  }

  reached(): Promise<number> {
    return this.projector.reached(this.projection);
  }

  since(position: number): Promise<readonly RevocationRow[]> {
    return this.all({ index: 'byPosition', from: position + 1, limit: PAGE });
  }

  async holding(at: number): Promise<readonly RevocationRow[]> {
    return (await this.all({ index: 'byUntil', from: at, limit: PAGE })).filter(({ revoked }) => revoked);
  }

  async of(keys: readonly string[]): Promise<readonly RevocationRow[]> {
    return [...(await this.models.getMany(revocationRows, keys)).values()];
  }

  head(): Promise<number> {
    return this.store.head();
  }

  grown(after: number, signal: AbortSignal): Promise<void> {
    return this.store.grown(after, signal);
  }

  /** A row that changes meanwhile may be missed or found twice; it has a position then that is news the next time. */
  private async all(query: Query): Promise<RevocationRow[]> {
    const rows: RevocationRow[] = [];
    let after: Cursor | null = null;
    do {
      const page: { rows: readonly RevocationRow[]; next: Cursor | null } = await this.models.find(revocationRows, {
        ...query,
        ...(after && { after }),
      });
      for (const row of page.rows) rows.push(row);
      after = page.next;
    } while (after);
    return rows;
  }
}
