/**
 * A time limit in milliseconds, multiplied by the environment variable PATIENCE (1 by default). Every limit of specs, testing
 * helpers, faults and benches goes through it, so that a slow machine needs one setting. Throws when PATIENCE is not a number above 0.
 */
export function patience(millis: number): number {
  const factor = Number(process.env.PATIENCE ?? 1);
  if (!(factor > 0 && factor < Infinity)) throw new Error(`PATIENCE is ${process.env.PATIENCE}: it has to be a number above 0`);
  return millis * factor;
}

/** How long a test, a hook, or a single wait may take. A test that needs more names its own limit. */
export const TEST_MS = 300_000;
export const WAIT_MS = 60_000;
