import { Projector } from '@parlance/read-models';
import type { Started } from '@parlance/foundation';

/** The result of comparing a read model's rows with a replay of the events. */
export interface RowsVerdict {
  readonly projection: string;
  readonly rows: number;
  /** Keys of rows, as `table/key`, at most 20. */
  readonly differing: readonly string[];
  /** Why the rows could not be compared. */
  readonly obstacle: string | null;
}

/** Compares all read models of a service, including those built from other services' events. All read models must be idle. */
export async function* compareRows({ app }: Started): AsyncGenerator<RowsVerdict> {
  const projector = app.get(Projector);
  for (const { projection, stopped, parked } of await projector.lag()) {
    const obstacle = stopped === null ? (parked > 0 ? `${parked} streams are set aside` : null) : `it has stopped: ${stopped}`;
    if (obstacle !== null) yield { projection, rows: 0, differing: [], obstacle };
    else yield { projection, obstacle, ...(await projector.verify(projection)) };
  }
}
