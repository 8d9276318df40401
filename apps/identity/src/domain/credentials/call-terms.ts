/** What a token with the scope `models` may call, and what its calls are recorded with. */
export interface CallTerms {
  /** IDs of models, or beginnings of IDs followed by `*`. Empty: all models. */
  readonly models: readonly string[];
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly maxParallelRequests: number | null;
  readonly costCentre: string | null;
  /** How long answers may be cached. 0: not. Absent in terms of earlier versions. */
  readonly cacheTtlSeconds?: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** The scope of tokens that have such terms. */
export const MODELS_SCOPE = 'models';

export const NO_TERMS: CallTerms = {
  models: [],
  requestsPerMinute: null,
  tokensPerMinute: null,
  maxParallelRequests: null,
  costCentre: null,
  cacheTtlSeconds: 0,
  tags: {},
};

/** Whether two terms are equal. The order of models and tags does not count. */
export function areSameTerms(a: CallTerms, b: CallTerms): boolean {
  return canonical(a) === canonical(b);
}

const canonical = ({ models, tags, ...rest }: CallTerms): string =>
  JSON.stringify([
    models.toSorted(),
    Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    rest.requestsPerMinute,
    rest.tokensPerMinute,
    rest.maxParallelRequests,
    rest.costCentre,
    rest.cacheTtlSeconds ?? 0,
  ]);
