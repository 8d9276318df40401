/** Requests that are settled at the same time: the store writes their events together. */
const SETTLED_AT_ONCE = 20;
/** For how long a round takes further requests. Anybody may send requests for any addresses, and requests of users are queued after these. */
const ROUND_MILLIS = 3_000;

/**
 * One round: settles open requests in batches until none is left or the time is over. A request that fails does not stop the others of its
 * batch; it ends the round, which rejects with all failures. `what` names the requests in this error.
 */
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
