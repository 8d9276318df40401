import { ParlanceError } from './parlance-error.ts';
import { time, withJitter } from './retries.ts';

export interface PollOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default 300,000. */
  readonly timeoutMillis?: number;
}

const TIMEOUT_MILLIS = 300_000;
const FIRST_MILLIS = 200;
const LONGEST_MILLIS = 5_000;

/** Polls until the response is complete, with growing pauses that are at least as long as the server asks for. Throws `timed_out`. */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer>,
  isEnough: (answer: Answer) => boolean,
  { signal, timeoutMillis = TIMEOUT_MILLIS }: PollOptions = {},
  retryAfterOf: (answer: Answer) => number | null = () => null,
): Promise<Answer> {
  const end = performance.now() + timeoutMillis;
  for (let polls = 0; ; polls++) {
    const answer = await ask();
    if (isEnough(answer)) return answer;
    const own = withJitter(Math.min(FIRST_MILLIS * 1.5 ** polls, LONGEST_MILLIS));
    const millis = Math.max(own, (retryAfterOf(answer) ?? 0) * 1_000);
    if (performance.now() + millis > end)
      throw new ParlanceError('timed_out', 'The work was not done in time. It continues on the server.');
    await time.pause(millis, signal);
  }
}
