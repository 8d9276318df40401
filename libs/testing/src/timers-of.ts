import type { jest as Jest } from '@jest/globals';

/** Watches timers with this delay that are set from now on, because other parts of the process also set timers. */
export function timersOf(jest: typeof Jest, millis: number) {
  const [set, cleared] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
  const over = new Set<unknown>();
  const running = () =>
    set.mock.calls.flatMap(([callback, delay], nth) => {
      const timer: unknown = set.mock.results[nth]!.value;
      const isRunning = delay === millis && !over.has(timer) && !cleared.mock.calls.some(([each]) => each === timer);
      return isRunning ? [{ timer, callback }] : [];
    });
  return {
    /** The timers that were not cleared and have not elapsed. */
    get running(): readonly unknown[] {
      return running();
    },
    /**
     * Lets these timers elapse at once, and waits for the consequences. Fake timers would also run the other timers of the process: millions of them,
     * if the time is long.
     */
    async elapse(): Promise<void> {
      for (const { timer, callback } of running()) {
        over.add(timer);
        callback();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
