import { runInNewContext } from 'node:vm';
import { patience, WAIT_MS } from './patience.ts';

/**
 * Runs synchronous work and gives its result. Throws when the work takes too long, also when it never yields, such as a regular
 * expression that tries every way to fail. For input on which linear work takes milliseconds and worse work takes hours.
 */
export function mustEnd<T>(work: () => T, timeout = patience(WAIT_MS)): T {
  return runInNewContext('work()', { work }, { timeout }) as T;
}
