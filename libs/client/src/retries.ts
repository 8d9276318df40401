import type { ParlanceError } from './parlance-error.ts';

export interface RetryOptions {
  /** The number of attempts of one request, the first included. Default 4. */
  readonly attempts?: number;
  /** The longest pause in seconds. A refusal that asks for a longer one is thrown immediately. Default 20. */
  readonly maxPauseSeconds?: number;
}

/** After these codes, a retry is useless: the request had its effect (`recorded_not_visible`), or an early retry would be refused too. */
const FINAL = new Set(['recorded_not_visible', 'too_many_attempts', 'quota_exceeded', 'budget_exceeded']);
const FIRST_PAUSE_MILLIS = 250;

/**
 * The pause before the next attempt in milliseconds, or null if there must be none. A request refused with 429 or 503 had no effect, so any
 * such request may be retried, except after `outcome_unknown`. A request without an answer may have had an effect, so only repeatable ones are sent again.
 */
export function pauseBeforeRetry(
  error: ParlanceError,
  failures: number,
  isRepeatable: boolean,
  { attempts = 4, maxPauseSeconds = 20 }: RetryOptions = {},
): number | null {
  if (failures >= attempts || FINAL.has(error.code)) return null;
  const isUnknown = error.status === 0 || error.status === 502 || error.status === 504 || error.code === 'outcome_unknown';
  const hadNoEffect = !isUnknown && (error.status === 429 || error.status === 503);
  const mayPass = hadNoEffect || (isRepeatable && isUnknown);
  if (!mayPass) return null;
  const requested = (error.retryAfter ?? 0) * 1_000;
  if (requested > maxPauseSeconds * 1_000) return null;
  return Math.max(requested, withJitter(Math.min(FIRST_PAUSE_MILLIS * 2 ** (failures - 1), maxPauseSeconds * 1_000)));
}

/** Jitter: clients that failed together must not retry together. */
export const withJitter = (millis: number): number => millis * (0.75 + Math.random() / 2);

/** An object, so that tests can replace its method and need not wait. */
export const time = {
  /** Resolves after the time. Rejects with the reason of the signal when that is aborted. */
  pause(millis: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, millis);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  },
};
