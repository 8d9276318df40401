import { defaultRetry, type RetryPolicy } from '@parlance/messaging';

/** How often the background work of a process runs. Only tests change it. */
export interface Pace {
  /** Maps a timer's usual pause to the pause to use, in milliseconds. */
  readonly timer: (millis: number) => number;
  /** How failed deliveries are retried. */
  readonly retry: RetryPolicy;
}

export const usualPace: Pace = { timer: (millis) => millis, retry: defaultRetry };
