/** Some models embed questions in another way than the texts that answer them. */
export type EmbeddingPurpose = 'document' | 'query';

/** Tokens to charge. */
export interface EmbeddingTokens {
  readonly tokens: number;
  /** Whether `tokens` is an estimate, because the provider did not report the number. */
  readonly estimated: boolean;
  /** Reported by the provider, and more than the texts seem able to have. */
  readonly suspicious?: true;
}

export interface Embedded extends EmbeddingTokens {
  /** One vector of length 1 for each text, in the order of the texts. */
  readonly vectors: readonly Float32Array[];
}

/** The tokens of two calls. */
export const tokenSum = (one: EmbeddingTokens, other: EmbeddingTokens): EmbeddingTokens => ({
  tokens: one.tokens + other.tokens,
  estimated: one.estimated || other.estimated,
  ...((one.suspicious || other.suspicious) && { suspicious: true }),
});

/** Largest number of texts of one call. */
export const MOST_TEXTS_PER_CALL = 2_048;

/** Makes vectors of texts. Texts with similar meaning get vectors with a small angle. */
export abstract class Embedder {
  /** The ID of the model in the catalogue. Its price applies. */
  abstract readonly id: string;

  /** Names the provider and its model. Vectors are comparable, and may be reused, only within one space and one number of dimensions. */
  abstract readonly space: string;

  /** Dimensions of the vectors. Null until the first call has succeeded. */
  abstract readonly dimensions: number | null;

  /**
   * Texts past the context window of the model are embedded by their beginning. A call without texts succeeds and reaches no model.
   * Throws `RemoteUnavailable` when the model can't be used now and `RemoteRefused` when it can't be used as it is configured. Throws
   * RangeError for more than `MOST_TEXTS_PER_CALL` texts. Rejects with the reason of the signal when it is aborted.
   * `onPaid` is called with the tokens of each request that a provider has answered, also if others fail afterwards. A model of this machine
   * costs nothing and never calls it.
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

/** The vector with length 1, so that a dot product is the cosine. Null if a number is not finite or all are 0. */
export function unitVector(numbers: ArrayLike<number>): Float32Array | null {
  let squares = 0;
  for (let index = 0; index < numbers.length; index++) squares += numbers[index]! ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(numbers, (number) => number / length);
}
