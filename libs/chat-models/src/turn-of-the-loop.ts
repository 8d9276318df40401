import { setImmediate } from 'node:timers/promises';

/** After this time other work gets a turn of the event loop. */
const MILLIS_AT_ONCE = 5;

/** Measured over all texts, because the work on many short texts takes as long as the work on a long one. */
let until = 0;

/** Whether work on texts has had its time. Call it after each small piece, and `nextTurn` if it is true. */
export const isTurnOver = (): boolean => performance.now() >= until;

export async function nextTurn(): Promise<void> {
  await setImmediate();
  until = performance.now() + MILLIS_AT_ONCE;
}
