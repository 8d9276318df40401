import { setImmediate } from 'node:timers';
import { SLICE_MS } from './slice.ts';

/** The start of the current turn. All tasks share it, because many short tasks together can take as long as one long task. */
let begun = -Infinity;
/** Whether `begun` is in the current turn although no task has waited for it. */
let isCounted = false;

/**
 * Whether the time of the current turn is used up. Call it before or after each small piece of work, and await `nextTurn` if it is true. If no
 * task waits, the time counts from the first call in a turn.
 */
export const isTurnOver = (): boolean => {
  const now = performance.now();
  if (!isAhead && !isCounted) {
    begun = now;
    isCounted = true;
    setImmediate(endCount);
  }
  const spent = now - begun;
  // A turn begins in the future only if the clock was set back, as tests do.
  return spent >= SLICE_MS || spent < 0;
};

const endCount = (): void => void (isCounted = false);

/** How many waiting tasks may share a turn. Scheduling callbacks for thousands of tasks in each turn would take longer than their work. */
const MOST_IN_TURN = 64;

/** Waiting tasks by client, the next one first. */
const waiting = new Map<string, (() => void)[]>();
let count = 0;
let isAhead = false;

/**
 * Resolves in the next turn of the event loop that has time left. Many tasks wait for the same turn. When its time is used up, the remaining
 * tasks wait for the following turn, because hundreds of small pieces in one turn would delay other work as long as one large piece. Clients get
 * turns in rotation, so a client with many tasks delays only its own tasks.
 */
export function nextTurn(client = ''): Promise<void> {
  return new Promise((resolve) => {
    const queue = waiting.get(client);
    if (queue) queue.push(resolve);
    else waiting.set(client, [resolve]);
    count += 1;
    if (!isAhead) plan();
  });
}

function plan(): void {
  isAhead = true;
  setImmediate(() => {
    begun = performance.now();
    // At least one task runs, however slow the machine is.
    wake();
  });
  // One callback for each task, because a task's work runs right after the callback that wakes it.
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
  const [client, queue] = waiting.entries().next().value!;
  waiting.delete(client);
  const go = queue.shift()!;
  if (queue.length > 0) waiting.set(client, queue);
  count -= 1;
  go();
}

/** Runs `work` for each item, for several items concurrently, and returns the results. Other work gets turns of the event loop in between. */
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
