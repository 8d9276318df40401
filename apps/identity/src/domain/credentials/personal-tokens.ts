import { type Decider, type Decision, Instant, refuse } from '@parlance/decider';
import { userNotFound } from '../user-not-found.ts';
import { areSameTerms, type CallTerms, MODELS_SCOPE, NO_TERMS } from './call-terms.ts';

/** The most unrevoked personal access tokens of one user. The state of the user's stream contains all of them. */
export const MOST_TOKENS_OF_USER = 100;
/** A use is recorded only if the last recorded use was this much earlier. */
const USES_APART_MILLIS = 10 * 60_000;

export type TokenEnd = 'revoked' | 'expired' | 'user_erased';

interface TokenFacts {
  readonly tokenId: string;
  /** Sealed. */
  readonly description: string;
  /** Sealed: the ranges of addresses as a JSON list. */
  readonly ranges: string;
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant;
  /** The user's number of takeovers when the token was created. After another takeover, the token is void. */
  readonly takeovers: number;
  /** Whether a second factor was proved in the session that created the token. If not, the token is void while a group of the user needs one. */
  readonly isProved?: boolean;
  /** For a token with the scope `models`. Absent: no restrictions. */
  readonly terms?: CallTerms;
}

export type PersonalTokensCommand =
  | ({ type: 'Make'; now: Instant; longestMillis: number } & TokenFacts)
  | { type: 'Revoke'; tokenId: string }
  /** Absent fields keep their values. */
  | { type: 'ChangeTerms'; tokenId: string; changes: Partial<CallTerms> }
  | { type: 'NoteUse'; tokenId: string; at: Instant }
  /** The user is erased, so no further token is made. */
  | { type: 'Close' };

export type PersonalTokensEvent =
  | ({ type: 'PersonalTokenMade' } & TokenFacts)
  | { type: 'PersonalTokenRevoked'; tokenId: string; because: TokenEnd }
  | { type: 'PersonalTokenTermsChanged'; tokenId: string; terms: CallTerms; revision: number }
  | { type: 'PersonalTokenUsed'; tokenId: string; at: Instant }
  | { type: 'PersonalTokensClosed' };

interface LivingToken {
  readonly expiresAt: Instant;
  readonly usedAt: Instant | null;
  /** Null for a token without the scope `models`. */
  readonly terms: CallTerms | null;
  /** How many times the terms were changed. Copies of the token are valid for one revision. */
  readonly revision: number;
}

export interface PersonalTokens {
  readonly isClosed: boolean;
  readonly tokens: Readonly<Record<string, LivingToken>>;
}

/** The tokens of one user. Only a user's own stream has its tokens, so nobody can revoke another user's tokens. */
export const personalTokens: Decider<PersonalTokensCommand, PersonalTokensEvent, PersonalTokens> = {
  initialState: { isClosed: false, tokens: {} },
  snapshots: { every: 50, shape: 'personal-tokens-2' },

  decide(command, state) {
    switch (command.type) {
      case 'Make':
        return made(command, state);
      case 'Revoke':
        return state.tokens[command.tokenId] ? [ended(command.tokenId, 'revoked')] : tokenNotFound();
      case 'ChangeTerms':
        return termsChanged(command, state);
      case 'NoteUse': {
        const token = state.tokens[command.tokenId];
        if (!token || (token.usedAt !== null && command.at < token.usedAt + USES_APART_MILLIS)) return [];
        return [{ type: 'PersonalTokenUsed', tokenId: command.tokenId, at: command.at }];
      }
      case 'Close': {
        if (state.isClosed) return [];
        return [...Object.keys(state.tokens).map((tokenId) => ended(tokenId, 'user_erased')), { type: 'PersonalTokensClosed' }];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'PersonalTokenMade':
        return {
          ...state,
          tokens: { ...state.tokens, [event.tokenId]: { expiresAt: event.expiresAt, usedAt: null, terms: termsOf(event), revision: 0 } },
        };
      case 'PersonalTokenTermsChanged': {
        const token = state.tokens[event.tokenId];
        if (!token) return state;
        return { ...state, tokens: { ...state.tokens, [event.tokenId]: { ...token, terms: event.terms, revision: event.revision } } };
      }
      case 'PersonalTokenRevoked': {
        const { [event.tokenId]: _, ...tokens } = state.tokens;
        return { ...state, tokens };
      }
      case 'PersonalTokenUsed': {
        const token = state.tokens[event.tokenId];
        return token ? { ...state, tokens: { ...state.tokens, [event.tokenId]: { ...token, usedAt: event.at } } } : state;
      }
      case 'PersonalTokensClosed':
        return { ...state, isClosed: true };
    }
  },
};

function termsChanged(
  { tokenId, changes }: Extract<PersonalTokensCommand, { type: 'ChangeTerms' }>,
  { tokens }: PersonalTokens,
): Decision<PersonalTokensEvent> {
  const token = tokens[tokenId];
  if (!token) return tokenNotFound();
  if (token.terms === null) return modelsScopeMissing();
  const terms = { ...token.terms, ...changes };
  if (areSameTerms(terms, token.terms)) return [];
  return [{ type: 'PersonalTokenTermsChanged', tokenId, terms, revision: token.revision + 1 }];
}

/** Expired tokens are removed when another one is created, so that they neither count nor accumulate. */
function made(
  { type: _, now, longestMillis, ...facts }: Extract<PersonalTokensCommand, { type: 'Make' }>,
  { isClosed, tokens }: PersonalTokens,
): Decision<PersonalTokensEvent> {
  if (isClosed) return userNotFound();
  // A repeated request. The value shown by the first response stays valid.
  if (tokens[facts.tokenId]) return [];
  if (facts.terms && !facts.scopes.includes(MODELS_SCOPE)) return modelsScopeMissing();
  if (facts.expiresAt <= now) return refuse('invalid', 'expiry_passed', 'The field expires_at must be in the future.');
  if (facts.expiresAt > Instant.plus(now, longestMillis))
    return refuse(
      'invalid',
      'expiry_too_late',
      `The field expires_at must be at most ${longestMillis / 86_400_000} days from now. See the setting personalTokenMaxDays.`,
    );
  const expired = Object.keys(tokens).filter((tokenId) => (tokens[tokenId] as LivingToken).expiresAt <= now);
  if (Object.keys(tokens).length - expired.length >= MOST_TOKENS_OF_USER)
    return refuse('conflict', 'too_many_tokens', `A user has at most ${MOST_TOKENS_OF_USER} tokens. Delete one that is not used.`);
  return [...expired.map((tokenId) => ended(tokenId, 'expired')), { type: 'PersonalTokenMade', ...facts }];
}

const ended = (tokenId: string, because: TokenEnd): PersonalTokensEvent => ({ type: 'PersonalTokenRevoked', tokenId, because });

/** The terms of a token for calls of models; null if it has another scope. */
export const termsOf = ({ scopes, terms }: Pick<TokenFacts, 'scopes' | 'terms'>): CallTerms | null =>
  scopes.includes(MODELS_SCOPE) ? (terms ?? NO_TERMS) : null;

const modelsScopeMissing = () =>
  refuse('invalid', 'models_scope_missing', 'Only tokens with the scope models have terms for calls of models.');

export const tokenNotFound = () => refuse('missing', 'token_not_found', 'There is no such token, or it was revoked.');

export const personalTokensStream = (userId: string) => `tokens-${userId}`;
