/** The longest time to wait for an answer. */
export const LONGEST_WAIT_SECONDS = 30;

const WAIT = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?=$|[,;\s])/i;
const EVENT_STREAM = /(?:^|,)\s*text\/event-stream\s*(?=$|[,;])(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** The seconds that a request prefers to wait for its result (RFC 7240), at most `LONGEST_WAIT_SECONDS`. Null if it states none. */
export function waitIn(prefer: string | undefined): number | null {
  const seconds = WAIT.exec(prefer ?? '')?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds), LONGEST_WAIT_SECONDS);
}

/** Whether a request accepts server-sent events explicitly. A wildcard does not count. */
export const acceptsEvents = (accept: string | undefined): boolean => EVENT_STREAM.test(accept ?? '');
