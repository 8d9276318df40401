import type { IncomingHttpHeaders } from 'node:http';
import { Refusal, refuse, type Sentence } from '@parlance/decider';
import { WriteUnconfirmed } from '@parlance/event-store';
import type { CallerStatement } from '../access/caller-statement.ts';
import { pathWithin } from './readable-paths.ts';

interface Refused {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined before the guard has run. */
  readonly statement?: CallerStatement | null | undefined;
  /** Where GET shows the effect of the request, as a pattern: see `ReadablePaths`. Null if nowhere. */
  readonly lookUp: string | null;
}

/** Methods of requests whose effects do not matter to the caller. */
const HAS_NO_EFFECT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether it matters to the caller of a request with this method that it may have been carried out. */
export const hasEffect = (method: string): boolean => !HAS_NO_EFFECT.has(method);

/** The refusal for a change that the database has not confirmed. */
export function unconfirmed({ cause }: WriteUnconfirmed): Refusal {
  const detail = 'The database did not confirm the change, so it is not known whether it was recorded. Look it up before you repeat it.';
  const refusal = refuse('unavailable', 'outcome_unknown', detail, { retry_after: 5 });
  refusal.cause = cause;
  return refusal;
}

/**
 * Adds to the refusal `outcome_unknown` what the user can do: `look_up`, a path that GET serves, and `repeat_with`, the idempotency key with which
 * the request can be repeated without a second effect. Without a new ID in the statement, nothing remembers the key. Becomes that refusal: a
 * change that the database has not confirmed. Other errors stay as they are.
 */
export function withLookUp(thrown: unknown, { method, url, headers, statement, lookUp }: Refused): unknown {
  if (thrown instanceof WriteUnconfirmed && !hasEffect(method)) return thrown.cause;
  const error = thrown instanceof WriteUnconfirmed ? unconfirmed(thrown) : thrown;
  if (!(error instanceof Refusal) || error.code !== 'outcome_unknown') return error;
  const key = headers['idempotency-key'];
  const facts = { ...error.facts, ...(lookUp !== null && { look_up: pathWithin(url, lookUp) }) };
  const isRemembered = statement?.nid !== undefined && typeof key === 'string';
  const detail = isRemembered ? (`${error.message} You may also repeat it with the same Idempotency-Key.` as Sentence) : error.message;
  const refusal = refuse(error.kind, error.code, detail as Sentence, isRemembered ? { ...facts, repeat_with: key } : facts);
  refusal.cause = error.cause;
  return refusal;
}
