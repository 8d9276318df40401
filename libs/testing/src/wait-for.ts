import { patience, WAIT_MS } from './patience.ts';

export interface WaitOptions {
  /** How long to wait, in milliseconds, before `TimedOut` is thrown: by default a minute, times `patience`. */
  readonly timeout?: number;
  /** A description of the condition for the error, such as "the reply to be stored". */
  readonly what?: string;
  /** Ends the wait early. Its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Thrown by `waitFor` if the condition is not fulfilled in time. Its cause is the last error of the condition. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

const LONGEST_PAUSE = 50;

/**
 * Checks a condition repeatedly, at first every few milliseconds, until it returns a truthy value, and returns that value. A condition that
 * throws counts as not fulfilled yet. Use it only if there is no event to wait for.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeout = patience(WAIT_MS), what = 'the condition', signal }: WaitOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeout;
  for (let pause = 2; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    signal?.throwIfAborted();
    let cause: unknown;
    try {
      const answer = await condition();
      if (answer) return answer;
    } catch (error) {
      cause = error;
    }
    if (performance.now() + pause > deadline) throw new TimedOut(`Waited ${timeout} ms for ${what}.`, { cause });
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
