import type { IncomingHttpHeaders } from 'node:http';
import { Refusal, refuse, type Sentence } from '@parlance/decider';
import type { CallerStatement } from '../access/caller-statement.ts';

interface Refused {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined before the guard has run. */
  readonly statement?: CallerStatement | null | undefined;
}

/**
 * Adds to the refusal `outcome_unknown` what the user can do: `look_up`, the path of the request, and `repeat_with`, the idempotency key with which
 * it can be repeated without a second effect. Without a new ID in the statement, nothing remembers the key. Other errors stay as they are.
 */
export function withLookUp<Thrown>(error: Thrown, { url, headers, statement }: Refused): Thrown | Refusal {
  if (!(error instanceof Refusal) || error.code !== 'outcome_unknown') return error;
  const key = headers['idempotency-key'];
  const facts = { ...error.facts, look_up: url.split('?', 1)[0] };
  const isRemembered = statement?.nid !== undefined && typeof key === 'string';
  const detail = isRemembered ? (`${error.message} You may also repeat it with the same Idempotency-Key.` as Sentence) : error.message;
  const refusal = refuse(error.kind, error.code, detail as Sentence, isRemembered ? { ...facts, repeat_with: key } : facts);
  refusal.cause = error.cause;
  return refusal;
}
