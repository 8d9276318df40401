import type { ChangeTokenBody, CreateTokenBody, PersonalToken } from '@parlance/client/types';
import { secondsOf } from '../../../calendar/local-time.ts';

export type Scope = CreateTokenBody['scopes'][number];

/** In the order of the form. The type requires every scope that the server accepts. */
const OFFERED: Readonly<Record<Scope, 'everybody' | 'administrators'>> = {
  chat: 'everybody',
  approve: 'everybody',
  'bots:read': 'everybody',
  'bots:write': 'everybody',
  publish: 'everybody',
  models: 'everybody',
  'admin:read': 'administrators',
  'admin:write': 'administrators',
  'exports:read': 'administrators',
};
const SCOPES = Object.keys(OFFERED) as readonly Scope[];

export const isScope = (scope: string): scope is Scope => (SCOPES as readonly string[]).includes(scope);

/** The scopes a user can choose. Administrator scopes would be useless in the token of any other user. */
export const scopesFor = (isAdmin: boolean): readonly Scope[] => SCOPES.filter((scope) => isAdmin || OFFERED[scope] === 'everybody');

/** The scope of tokens that have terms for calls of models. */
export const MODELS_SCOPE = 'models';

/** The fields for calls of models. Lists have one entry in a line. A limit that is not set is NaN. */
export interface TermFields {
  readonly models: string;
  readonly requests: number;
  readonly tokens: number;
  readonly parallel: number;
  readonly costCentre: string;
  /** Seconds for which answers are cached. NaN: not at all. */
  readonly cached: number;
  /** `name: value` in each line. */
  readonly tags: string;
}

const NO_TERMS: TermFields = { models: '', requests: NaN, tokens: NaN, parallel: NaN, costCentre: '', cached: NaN, tags: '' };

/** The fields of a new token. `expires` is the value of a `datetime-local` field, or empty. */
export interface TokenFields {
  readonly description: string;
  readonly scopes: readonly string[];
  readonly expires: string;
  readonly ranges: string;
  readonly terms: TermFields;
}

export const NEW_TOKEN: TokenFields = { description: '', scopes: [], expires: '', ranges: '', terms: NO_TERMS };

const linesOf = (text: string): readonly string[] => text.split('\n').flatMap((line) => line.trim() || []);

export function bodyOf({ description, scopes, expires, ranges, terms }: TokenFields): CreateTokenBody {
  const expires_at = secondsOf(expires);
  const allowed_ip_ranges = linesOf(ranges);
  const set = Object.entries(termsBodyOf(terms)).filter(([, value]) => value !== null && value !== 0 && !isEmpty(value));
  return {
    description: description.trim(),
    // In the order of the form, not of the clicks.
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    ...(expires_at !== undefined && { expires_at }),
    ...(allowed_ip_ranges.length > 0 && { allowed_ip_ranges: [...allowed_ip_ranges] }),
    ...(scopes.includes(MODELS_SCOPE) && Object.fromEntries(set)),
  };
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value as object).length === 0;

/** All terms. Empty fields remove a term. */
export function termsBodyOf({ models, requests, tokens, parallel, costCentre, cached, tags }: TermFields): Required<ChangeTokenBody> {
  const limit = (value: number) => (Number.isNaN(value) ? null : value);
  const tagOf = (line: string): readonly [string, string] => {
    const [name = '', ...value] = line.split(':');
    return [name.trim(), value.join(':').trim()];
  };
  return {
    models: [...new Set(linesOf(models))],
    requests_per_minute: limit(requests),
    tokens_per_minute: limit(tokens),
    max_parallel_requests: limit(parallel),
    cost_centre: costCentre.trim() || null,
    cache_ttl_seconds: limit(cached) ?? 0,
    tags: Object.fromEntries(linesOf(tags).map(tagOf)),
  };
}

/** The fields with the terms of a token. */
export const fieldsOf = (token: PersonalToken): TermFields => ({
  models: token.models.join('\n'),
  requests: token.requests_per_minute ?? NaN,
  tokens: token.tokens_per_minute ?? NaN,
  parallel: token.max_parallel_requests ?? NaN,
  costCentre: token.cost_centre ?? '',
  cached: token.cache_ttl_seconds || NaN,
  tags: Object.entries(token.tags)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
});
