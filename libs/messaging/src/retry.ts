import { setTimeout as sleep } from 'node:timers/promises';
import type { RetryPolicy } from './broker.ts';

/** Six tries within about four seconds: longer than the restart of a dependency, shorter than users wait. */
export const defaultRetry: RetryPolicy = { attempts: 6, firstDelayMs: 100, maxDelayMs: 10_000 };

/** Doubles with each try, with random jitter, so that deliveries that failed together are not retried together. */
export function delayAfter(attempt: number, policy: RetryPolicy): number {
  const delay = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return delay * (0.75 + Math.random() / 2);
}

/** Returns false when the signal ended the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

/** The reason for a dead letter, from anything that can be thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}

/** Called for problems from which a broker recovers: deliveries that it sets aside, and errors after which it retries. */
export type Report = (message: string, details: Readonly<Record<string, unknown>>) => void;
