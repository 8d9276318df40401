// I9 for bodies that take their time: a request is refused when the session of its caller has ended before its body was whole, and
// nothing of it is kept; and nothing that erased users sent slowly is left.
import { SlowRecord } from '../slow-record.mjs';

/** Those that were answered, or lost, since the last look. */
export function touchedSlowAreAsAnswered({ ledger, evidence }) {
  const touched = [...ledger.takeTouched('slow')].filter((record) => record instanceof SlowRecord);
  return touched.flatMap((record) => record.problems(evidence));
}

/** All of them. */
export function slowAreAsAnswered({ ledger, evidence }) {
  return [...ledger.slowOnes.values()].flatMap((record) => [
    ...record.problems(evidence),
    ...(record.person.is('erased') ? record.remains(evidence) : []),
  ]);
}
