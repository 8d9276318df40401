/**
 * A time limit in milliseconds, multiplied by the environment variable PATIENCE (1 by default). Every limit of specs, test helpers, faults and
 * benchmarks uses this function, so that a slow machine needs only one setting. Throws if PATIENCE is not a number above 0.
 */
export function patience(millis: number): number {
  const factor = Number(process.env.PATIENCE ?? 1);
  if (!(factor > 0 && factor < Infinity)) throw new Error(`PATIENCE is ${process.env.PATIENCE}: it has to be a number above 0`);
  return millis * factor;
}

/** How long a test, a hook, or a single wait may take. A test that needs more time sets its own limit. */
export const TEST_MS = 300_000;
export const WAIT_MS = 60_000;
