/** Requests that are settled at the same time: the store writes their events together. */
const SETTLED_AT_ONCE = 20;
/** How long one round begins with further requests. Anybody may send them for any addresses, and those of users wait behind them. */
const ROUND_MILLIS = 3_000;

/** One round: many of the open requests of `what`. Rejects in the end with what failed, which does not hold up the others of its batch. */
export async function settleRequests<Row>(
  what: string,
  open: (most: number) => Promise<readonly Row[]>,
  settle: (row: Row) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const end = performance.now() + ROUND_MILLIS;
  do {
    const rows = await open(SETTLED_AT_ONCE);
    await Promise.all(rows.map((row) => settle(row).catch((error: unknown) => failures.push(error))));
    if (rows.length < SETTLED_AT_ONCE) break;
  } while (failures.length === 0 && performance.now() < end);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} requests of ${what} could not be settled`);
}
