/** Waits for all work, even after some has failed. Rejects at the end with the one reason, or with an `AggregateError` of all of them. */
export async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  if (reasons.length === 0) return;
  if (reasons.length === 1) throw reasons[0];
  throw new AggregateError(reasons, reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason))).join('; '));
}
