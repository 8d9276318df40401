import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { EventStore } from '@parlance/event-store';
import type { Cursor, Projector, Query, ReadModels } from '@parlance/read-models';
import { type RevocationRow, revocationRows } from './rows.ts';

/** The revocations in the owner's database. */
export abstract class RevocationRecords {
  /** The position up to which the rows are complete. Rows that are read afterwards include everything up to it. */
  abstract reached(): Promise<number>;
  /** Rows of events after a position. */
  abstract since(position: number): Promise<readonly RevocationRow[]>;
  /** Rows that had not expired at a time, without lifted ones. */
  abstract holding(at: number): Promise<readonly RevocationRow[]>;
  abstract of(keys: readonly string[]): Promise<readonly RevocationRow[]>;
  /** The end of the log, as far as it was noticed. The rows reach it a little later. */
  abstract head(): Promise<number>;
  /** The end of the log, read from the database. */
  abstract storedHead(): Promise<number>;
  /** Resolves when the log may have grown past a position. This is only a hint. */
  abstract grown(after: number, signal: AbortSignal): Promise<void>;
}

const PAGE = 1_000;

/** The records of a service's own log and read models. */
export class StoredRevocations extends RevocationRecords {
  constructor(
    private readonly store: EventStore,
    private readonly models: ReadModels,
    /** Reports the position of the projection that fills the rows. */
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

  async head(): Promise<number> {
    return this.store.noticedHead() ?? this.store.head();
  }

  storedHead(): Promise<number> {
    return this.store.head();
  }

  grown(after: number, signal: AbortSignal): Promise<void> {
    return this.store.grown(after, signal);
  }

  /** A row that changes meanwhile may be missed or found twice. Its new position then makes it a change for the next poll. */
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
      // Pages of rows are read without waiting.
      if (isTurnOver()) await nextTurn();
    } while (after);
    return rows;
  }
}
