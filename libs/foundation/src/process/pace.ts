import { defaultRetry, type RetryPolicy } from '@parlance/messaging';

/** How soon the background work of a process is done again. Only tests change it. */
export interface Pace {
  /** The pause of a timer, from its usual one, in milliseconds. */
  readonly timer: (millis: number) => number;
  /** How failed deliveries are retried. */
  readonly retry: RetryPolicy;
}

export const usualPace: Pace = { timer: (millis) => millis, retry: defaultRetry };
