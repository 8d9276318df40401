/** Why something can't be done, in words that know nothing of HTTP. */
export type RefusalKind =
  | 'invalid' // the request can never be right
  | 'unauthenticated' // nobody known asks
  | 'forbidden' // somebody known lacks the right
  | 'missing' // it isn't there, or not for this caller
  | 'conflict' // the state forbids it now
  | 'stale' // the caller has seen an older version
  | 'limited' // too often, too much
  | 'too_large' // the content exceeds a limit on its size
  | 'unavailable'; // something this rests on is down; later may do

/** Returned by deciders through `refuse`, thrown by whoever carries out a decision. `code` is part of the public interface. */
export class Refusal extends Error {
  constructor(
    readonly kind: RefusalKind,
    readonly code: string,
    detail?: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail ?? code.replaceAll('_', ' '));
    this.name = 'Refusal';
  }
}

export function refuse(kind: RefusalKind, code: string, detail?: string, facts?: Record<string, unknown>): Refusal {
  return new Refusal(kind, code, detail, facts);
}
