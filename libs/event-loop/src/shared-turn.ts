import { setImmediate } from 'node:timers/promises';
import { SLICE_MS } from './slice.ts';

/** One time for all tasks, because the work on many short texts takes as long as the work on a long one. */
let until = 0;

/** Whether the tasks that share a turn have had its time. Call it after each small piece, and `nextTurn` if it is true. */
export const isTurnOver = (): boolean => performance.now() >= until;

/** The next turn of the event loop, which all tasks share that wait for it. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
  until = performance.now() + SLICE_MS;
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
