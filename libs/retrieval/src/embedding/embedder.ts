/** Some models embed questions differently from the texts that answer them. */
export type EmbeddingPurpose = 'document' | 'query';

/** Tokens to charge. */
export interface EmbeddingTokens {
  readonly tokens: number;
  /** Whether `tokens` is an estimate, because the provider did not report the number. */
  readonly estimated: boolean;
  /** Reported by the provider, but more than the texts can plausibly have. */
  readonly suspicious?: true;
}

export interface Embedded extends EmbeddingTokens {
  /** One vector of length 1 per text, in the order of the texts. */
  readonly vectors: readonly Float32Array[];
}

/** The sum of two calls' tokens. */
export const tokenSum = (one: EmbeddingTokens, other: EmbeddingTokens): EmbeddingTokens => ({
  tokens: one.tokens + other.tokens,
  estimated: one.estimated || other.estimated,
  ...((one.suspicious || other.suspicious) && { suspicious: true }),
});

/** The maximum number of texts per call. */
export const MOST_TEXTS_PER_CALL = 2_048;

/** Turns texts into vectors. Texts with similar meaning get vectors with a small angle. */
export abstract class Embedder {
  /** The model's ID in the catalogue. Its price applies. */
  abstract readonly id: string;

  /** Names the provider and its model. Vectors may be compared and reused only within one space and one number of dimensions. */
  abstract readonly space: string;

  /** Dimensions of the vectors. Null until the first call has succeeded. */
  abstract readonly dimensions: number | null;

  /**
   * Texts longer than the model's context window are embedded by their beginning. A call without texts succeeds without reaching a model. Throws
   * `RemoteUnavailable` if the model cannot be used now and `RemoteRefused` if it cannot be used as configured. Throws RangeError for more than
   * `MOST_TEXTS_PER_CALL` texts. Rejects with the signal's reason if the signal is aborted. `onPaid` is called with the tokens of each answered
   * request, even if other requests fail later. A local model costs nothing and never calls it.
   */
  abstract embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
    onPaid?: (paid: EmbeddingTokens) => void,
  ): Promise<Embedded>;

  abstract close(): Promise<void>;
}

/** Throws RangeError for too many texts. */
export function checkCount(texts: readonly string[]): void {
  if (texts.length > MOST_TEXTS_PER_CALL) throw new RangeError(`${texts.length} texts in one call; at most ${MOST_TEXTS_PER_CALL}`);
}

/** The vector scaled to length 1, so that a dot product is the cosine. Null if a number is not finite or all are 0. */
export function unitVector(numbers: ArrayLike<number>): Float32Array | null {
  let squares = 0;
  for (let index = 0; index < numbers.length; index++) squares += numbers[index]! ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(numbers, (number) => number / length);
}
