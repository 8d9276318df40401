import type { jest as Jest } from '@jest/globals';

/** Timers with this delay that were set from now on and not cleared. Other parts of the process set timers, too. */
export function timersOf(jest: typeof Jest, millis: number) {
  const [set, cleared] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
  return {
    get running(): readonly unknown[] {
      const all = set.mock.calls.flatMap(([, delay], nth) => (delay === millis ? [set.mock.results[nth]!.value] : []));
      return all.filter((timer) => !cleared.mock.calls.some(([each]) => each === timer));
    },
  };
}
