import { setImmediate } from 'node:timers/promises';
import { SLICE_MS } from './slice.ts';

/** One time for all tasks, because the work on many short texts takes as long as the work on a long one. */
let begun = -Infinity;

/** Whether the tasks that share a turn have had its time. Call it after each small piece, and `nextTurn` if it is true. */
export const isTurnOver = (): boolean => {
  const spent = performance.now() - begun;
  // A turn that begins in the future is one of a clock that was put back, as tests do.
  return spent >= SLICE_MS || spent < 0;
};

let next: Promise<void> | undefined;

/** The next turn of the event loop, which all tasks share that wait for it. Its time begins once. */
export function nextTurn(): Promise<void> {
  return (next ??= setImmediate().then(() => {
    next = undefined;
    begun = performance.now();
  }));
}

/** The results of some work for each item, for so many items at the same time. Others get a turn of the event loop in between. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
    if (isTurnOver()) await nextTurn();
  }
  return results;
}
