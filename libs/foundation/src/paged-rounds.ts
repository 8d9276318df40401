/** Failures that the error of a round names. The rest is counted. */
const MOST_NAMED = 10;
/** A round reads no further page after this many failures: probably a store is unavailable. */
const MOST_FAILURES = 100;

export interface PageOf<Row, After> {
  readonly rows: readonly Row[];
  readonly next: After | null;
}

/** Decides when the work of a row begins. Without one, each row begins after the end of the one before. */
export interface RowPace {
  /** The work does not reject. */
  begin(work: () => Promise<void>): Promise<void>;
  /** Resolves when all work has ended. */
  end(): Promise<void>;
}

export interface RoundOptions {
  readonly pace?: RowPace;
  /** How long the round reads further pages; 0 reads one page. */
  readonly millis?: number;
  readonly isStopping?: () => boolean;
}

/**
 * The rounds of a timer over the rows that are due, in pages. A row that fails does not stop the round: the others are handled, and the round then rejects
 * with the IDs of the failed ones, which the timer logs. The next round continues where the last page ended, and after the last page from the
 * beginning, so rows that always fail do not block later ones either.
 */
export class PagedRounds<Row, After> {
  private after: After | null = null;

  /** `what`: names rows and work in the error, such as "holds could not be settled". */
  constructor(
    private readonly what: string,
    private readonly idOf: (row: Row) => string,
  ) {}

  async run(
    read: (after: After | null) => Promise<PageOf<Row, After>>,
    handle: (row: Row) => Promise<unknown>,
    { pace = oneByOne, millis = 0, isStopping = () => false }: RoundOptions = {},
  ): Promise<void> {
    const end = performance.now() + millis;
    const failed: { readonly id: string; readonly error: unknown }[] = [];
    const attempt = async (row: Row) => {
      try {
        await handle(row);
      } catch (error) {
        failed.push({ id: this.idOf(row), error });
      }
    };
    do {
      const from = this.after;
      // A page that cannot be read, for example because the clock was set back to before its start, must not fail all later rounds.
      this.after = null;
      const { rows, next } = await read(from);
      for (const row of rows) {
        if (isStopping()) break;
        await pace.begin(() => attempt(row));
      }
      await pace.end();
      this.after = next;
    } while (this.after !== null && !isStopping() && failed.length < MOST_FAILURES && performance.now() < end);
    if (failed.length === 0) return;
    const named = failed.slice(0, MOST_NAMED);
    const ids = `${named.map(({ id }) => id).join(', ')}${failed.length > MOST_NAMED ? ' …' : ''}`;
    throw new AggregateError(
      named.map(({ error }) => error),
      `${failed.length} ${this.what}: ${ids}`,
    );
  }
}

const oneByOne: RowPace = { begin: (work) => work(), end: async () => undefined };

/** The rows of a page begin at the same time. */
export function allAtOnce(): RowPace {
  const running: Promise<void>[] = [];
  return {
    begin: async (work) => void running.push(work()),
    end: async () => void (await Promise.all(running.splice(0))),
  };
}

/** A page of a query that returns rows alone, at most `limit`. */
export const pageOf = <Row, After>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => After): PageOf<Row, After> => ({
  rows,
  next: rows.length < limit ? null : cursorOf(rows.at(-1)!),
});
