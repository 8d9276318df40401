import { runInNewContext } from 'node:vm';
import { patience, WAIT_MS } from './patience.ts';

/**
 * Runs synchronous work and returns its result. Throws if the work takes too long, even if it never yields, such as a regular expression with
 * catastrophic backtracking. Use it with input on which linear work takes milliseconds and worse work takes hours.
 */
export function mustEnd<T>(work: () => T, timeout = patience(WAIT_MS)): T {
  return runInNewContext('work()', { work }, { timeout }) as T;
}
