import { setImmediate } from 'node:timers';
import { SLICE_MS } from './slice.ts';

/** One time for all tasks, because the work on many short texts takes as long as the work on a long one. */
let begun = -Infinity;

/** Whether the tasks that share a turn have had its time. Call it after each small piece, and `nextTurn` if it is true. */
export const isTurnOver = (): boolean => {
  const spent = performance.now() - begun;
  // A turn begins in the future only if the clock was put back, as tests do.
  return spent >= SLICE_MS || spent < 0;
};

/** So many waiting tasks may share a turn. Scheduling a callback for each of thousands, turn after turn, would take longer than their work. */
const MOST_IN_TURN = 64;

/** Waiting tasks by client, the next one first. */
const waiting = new Map<string, (() => void)[]>();
let count = 0;
let isAhead = false;

/**
 * Resolves in the next turn of the event loop whose time is not over. Tasks wait for the same turn, but when those before them have used its
 * time, the rest wait for the turn after it: five hundred tasks with a small piece each would hold up all others as long as one large piece.
 * Clients have turns in rotation, so one with many tasks delays its own.
 */
export function nextTurn(client = ''): Promise<void> {
  return new Promise((resolve) => {
    const its = waiting.get(client);
    if (its) its.push(resolve);
    else waiting.set(client, [resolve]);
    count += 1;
    if (!isAhead) plan();
  });
}

function plan(): void {
  isAhead = true;
  setImmediate(() => {
    begun = performance.now();
    // One in any case, however slow the machine is.
    wake();
  });
  // A callback for each, because a task's work runs right after the callback that wakes it.
  for (let task = 1; task < Math.min(count, MOST_IN_TURN); task++)
    setImmediate(() => {
      if (!isTurnOver()) wake();
    });
  setImmediate(() => {
    isAhead = count > 0;
    if (isAhead) plan();
  });
}

function wake(): void {
  if (count === 0) return;
  const [client, its] = waiting.entries().next().value!;
  waiting.delete(client);
  const go = its.shift()!;
  if (its.length > 0) waiting.set(client, its);
  count -= 1;
  go();
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
