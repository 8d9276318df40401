import { Instant } from '@parlance/decider';

/** The pauses between the tries of a delivery, extended by up to a fifth at random. After the last try, the delivery is a dead letter. */
export const GAPS_MILLIS = [5_000, 30_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000] as const;
export const MOST_TRIES = GAPS_MILLIS.length + 1;
const JITTER = 0.2;
/** The longest pause that an endpoint can request. */
const LONGEST_PAUSE_MILLIS = 24 * 60 * 60_000;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const;

/** One event for one webhook. The content of the event is not stored here, but read from the log of its service. */
export interface Delivery {
  readonly webhook_id: string;
  /** The ID of the event, which is `webhook-id` in each request. */
  readonly id: string;
  /** The order in which the events were read for the webhook. */
  readonly n: number;
  readonly source: string;
  readonly stream: string;
  /** Position in the source's log. */
  readonly sequence: string;
  readonly event_type: string;
  /** RFC 3339. */
  readonly event_time: string;
  readonly status: (typeof DELIVERY_STATUSES)[number];
  readonly tries: number;
  /** When the next try is due; null if the delivery has ended. */
  readonly next_at: Instant | null;
  readonly last_at: Instant | null;
  /** Status of the last answer; null without an answer. */
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly last_millis: number | null;
  /** When the event was delivered, or the delivery failed. */
  readonly ended_at: Instant | null;
}

/** A delivery before its first try, which is due at once. */
export function dueDelivery(
  of: Pick<Delivery, 'webhook_id' | 'id' | 'n' | 'source' | 'stream' | 'sequence' | 'event_type' | 'event_time'>,
  now: Instant,
): Delivery {
  const noTry = { last_at: null, last_status: null, last_error: null, last_millis: null };
  return { ...of, ...noTry, status: 'pending', tries: 0, next_at: now, ended_at: null };
}

/** The result of one try. */
export interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  /** The pause that the endpoint requests. */
  readonly retryAfterMillis: number | null;
  readonly millis: number;
}

export const isDelivered = ({ status, error }: Attempt) => error === null && status !== null && status >= 200 && status < 300;
/** Whether the endpoint answered 410, which means that it is gone permanently. */
export const isGone = ({ status }: Attempt) => status === 410;

/** The delivery after a try. `random` is from 0 up to 1. */
export function attempted(delivery: Delivery, attempt: Attempt, now: Instant, random: number): Delivery {
  const { status, error, millis } = attempt;
  const tries = delivery.tries + 1;
  const tried = { ...delivery, tries, last_at: now, last_status: status, last_error: error, last_millis: millis };
  if (isDelivered(attempt)) return { ...tried, status: 'delivered', next_at: null, ended_at: now };
  const gap = GAPS_MILLIS[delivery.tries];
  if (isGone(attempt) || gap === undefined) return { ...tried, status: 'dead', next_at: null, ended_at: now };
  const asked = Math.min(attempt.retryAfterMillis ?? 0, LONGEST_PAUSE_MILLIS);
  return { ...tried, next_at: Instant.plus(now, Math.max(Math.round(gap * (1 + JITTER * random)), asked)) };
}

/** Makes the delivery due again, with as many tries as a new one. */
export function restarted(delivery: Delivery, n: number, now: Instant): Delivery {
  return { ...delivery, n, status: 'pending', tries: 0, next_at: now, ended_at: null };
}
