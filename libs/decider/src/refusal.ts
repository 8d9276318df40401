/** The kind of a refusal, independent of HTTP. */
export type RefusalKind =
  | 'invalid' // the same request will always be refused
  | 'unauthenticated' // the caller is not known
  | 'forbidden' // a known caller lacks the right
  | 'missing' // it does not exist, or the caller may not see it
  | 'conflict' // the state forbids it now
  | 'stale' // the caller has seen an older version
  | 'limited' // too often, too much
  | 'too_large' // the content exceeds a limit on its size
  | 'unavailable'; // a dependency is down; the request may succeed later

type LettersOf<Text extends string> = Text extends `${infer First}${infer Rest}` ? First | LettersOf<Rest> : never;

/** The form of every detail: a sentence that states the problem and, if useful, the next step. The compiler refuses other texts. */
export type Sentence = `${LettersOf<'ABCDEFGHIJKLMNOPQRSTUVWXYZ'>}${string}.`;

/** Returned by deciders through `refuse`, thrown by the code that carries out a decision. `code` is part of the public interface. */
export class Refusal extends Error {
  declare readonly message: Sentence;

  constructor(
    readonly kind: RefusalKind,
    readonly code: string,
    detail: Sentence,
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.name = 'Refusal';
  }
}

export function refuse(kind: RefusalKind, code: string, detail: Sentence, facts?: Record<string, unknown>): Refusal {
  return new Refusal(kind, code, detail, facts);
}
