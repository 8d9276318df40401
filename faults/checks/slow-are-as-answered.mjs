// I9 for slow bodies: a request is refused, and has no effect, if the caller's session ended before the body was complete. Slow requests of
// erased users leave no data.
import { SlowRecord } from '../slow-record.mjs';

/** Requests that were answered or lost since the last check. */
export function touchedSlowAreAsAnswered({ ledger, evidence }) {
  const touched = [...ledger.takeTouched('slow')].filter((record) => record instanceof SlowRecord);
  return touched.flatMap((record) => record.problems(evidence));
}

/** All slow requests. */
export function slowAreAsAnswered({ ledger, evidence }) {
  return [...ledger.slowOnes.values()].flatMap((record) => [
    ...record.problems(evidence),
    ...(record.person.is('erased') ? record.remains(evidence) : []),
  ]);
}
