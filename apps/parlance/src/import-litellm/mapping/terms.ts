import type { Limits, TokenPlan } from './key.ts';

/** The terms of a new token, as the API takes them. */
export interface Terms {
  readonly models: readonly string[];
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly max_parallel_requests: number | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly cache_ttl_seconds: number;
}

export interface Context {
  /** The limits of the key's team, or of its user if it has no team. */
  readonly owner: Limits | null;
  /** The row of LiteLLM's budgets that the key names. */
  readonly shared: Limits | null;
  readonly accessGroups: ReadonlyMap<string, readonly string[]>;
  readonly cacheSeconds: number;
}

export type MappedTerms = { readonly terms: Terms; readonly changes: TokenPlan['changes'] } | { readonly reason: string };

const MOST_MODELS = 30;
const LONGEST_MODEL = 80;
/** LiteLLM's words for all models of the team, or all models. */
const ALL = ['all-team-models', 'all-proxy-models', '*'];
const NONE = 'no-default-models';

export function mappedTerms({ limits, tags }: TokenPlan, { owner, shared, accessGroups, cacheSeconds }: Context): MappedTerms {
  const [own, ofOwner] = [limits.models, owner?.models ?? []].map((names) => allowed(names, accessGroups));
  if (own === 'none' || ofOwner === 'none') return { reason: 'It may call no model.' };
  const models = both(own!, ofOwner!);
  if (models.length === 0 && own!.length + ofOwner!.length > 0) return { reason: 'Its models are none of the models of its team or user.' };
  if (models.length > MOST_MODELS)
    return { reason: `It names ${models.length} models. A token names ${MOST_MODELS} at most: use a name with *.` };
  const unusable = models.find((name) => name.length > LONGEST_MODEL || !/^[^*]*\*?$/.test(name));
  if (unusable !== undefined) return { reason: `A token cannot name the model ${unusable}.` };
  const changes: { setting: string; reason: string }[] = [];
  const lowest = (name: 'rpm' | 'tpm' | 'parallel', setting: string): number | null => {
    const key = min(limits[name], shared?.[name] ?? null);
    const lower = min(key, owner?.[name] ?? null);
    if (lower !== key)
      changes.push({ setting, reason: `The limit ${lower} of its team or user is for this token alone, not for all of them together.` });
    return lower;
  };
  const terms = {
    models,
    requests_per_minute: lowest('rpm', 'rpm_limit'),
    tokens_per_minute: lowest('tpm', 'tpm_limit'),
    max_parallel_requests: lowest('parallel', 'max_parallel_requests'),
    tags,
    cache_ttl_seconds: cacheSeconds,
  };
  const isZero = [terms.requests_per_minute, terms.tokens_per_minute, terms.max_parallel_requests].includes(0);
  return isZero ? { reason: 'One of its limits is 0.' } : { terms, changes };
}

/** Empty for all models. */
function allowed(names: readonly string[], accessGroups: Context['accessGroups']): readonly string[] | 'none' {
  const rest = names.filter((name) => name !== NONE);
  if (rest.length === 0 && names.length > 0) return 'none';
  if (rest.some((name) => ALL.includes(name))) return [];
  return [...new Set(rest.flatMap((name) => accessGroups.get(name) ?? [name]))];
}

/** The names that both lists allow. Empty lists allow all. */
function both(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const allows = (list: readonly string[], name: string) =>
    list.some((each) => each === name || (each.endsWith('*') && name.startsWith(each.slice(0, -1))));
  return [...new Set([...one.filter((name) => allows(other, name)), ...other.filter((name) => allows(one, name))])];
}

const min = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other);
