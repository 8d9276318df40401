import { setTimeout as sleep } from 'node:timers/promises';
import type { RetryPolicy } from './broker.ts';

/** Six tries within some four seconds: longer than a restart of what a handler calls, shorter than people wait. */
export const defaultRetry: RetryPolicy = { attempts: 6, firstDelayMs: 100, maxDelayMs: 10_000 };

/** Doubles with each try, and spreads: what failed together must not come back together. */
export function delayAfter(attempt: number, policy: RetryPolicy): number {
  const delay = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return delay * (0.75 + Math.random() / 2);
}

/** Answers false when the signal ended the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

/** What stands in a dead letter: enough to find the fault, whatever was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}

/** Where a broker tells what it meets and goes on from: deliveries set aside, faults that it tries again after. */
export type Report = (message: string, details: Readonly<Record<string, unknown>>) => void;
