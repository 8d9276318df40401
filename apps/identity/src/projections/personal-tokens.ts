import { setImmediate } from 'node:timers/promises';
import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { allowsModel } from '@parlance/observability';
import { patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import { MOST_TOKENS_OF_USER, termsOf } from '../domain/credentials/personal-tokens.ts';
import type { CallTerms } from '../domain/credentials/call-terms.ts';
import type { IdentityEvent } from '../domain/events.ts';

/** A personal access token that is not revoked. `description` and `allowed_ip_ranges` are sealed. */
export interface PersonalTokenRow {
  token_id: string;
  user_id: string;
  description: string;
  /** A JSON list. */
  allowed_ip_ranges: string;
  scopes: readonly string[];
  hash: string;
  takeovers: number;
  is_proved: boolean;
  /** Null for a token without the scope `models`. */
  terms: CallTerms | null;
  terms_revision: number;
  created_by: string | null;
  create_time: number;
  expires_at: number;
  last_used_time: number | null;
}

export const personalTokenRows = table<PersonalTokenRow>('personal_tokens', { byUser: ['user_id', 'token_id'] });

export const personalTokens = projection<IdentityEvent>({
  name: 'personal-tokens',
  version: 2,
  tables: [personalTokenRows],
  on: {
    PersonalTokenMade: (event, { stream, metadata }) => [
      put(personalTokenRows, event.tokenId, {
        token_id: event.tokenId,
        user_id: idInStream(stream),
        description: event.description,
        allowed_ip_ranges: event.ranges,
        scopes: event.scopes,
        hash: event.hash,
        takeovers: event.takeovers,
        is_proved: event.isProved ?? false,
        terms: termsOf(event),
        terms_revision: 0,
        created_by: metadata.actor,
        create_time: Instant.toSeconds(metadata.at),
        expires_at: Instant.toSeconds(event.expiresAt),
        last_used_time: null,
      }),
    ],
    PersonalTokenTermsChanged: ({ tokenId, terms, revision }) => [patch(personalTokenRows, tokenId, { terms, terms_revision: revision })],
    PersonalTokenUsed: ({ tokenId, at }) => [patch(personalTokenRows, tokenId, { last_used_time: Instant.toSeconds(at) })],
    PersonalTokenRevoked: ({ tokenId }) => [remove(personalTokenRows, tokenId)],
  },
});

export const PersonalTokenById = query('PersonalTokenById', (models, tokenId: string): Promise<PersonalTokenRow | null> => {
  return models.get(personalTokenRows, tokenId);
});

export const PersonalTokensById = query(
  'PersonalTokensById',
  async (models, tokenIds: readonly string[]): Promise<readonly PersonalTokenRow[]> => {
    return [...(await models.getMany(personalTokenRows, tokenIds)).values()];
  },
);

/** Oldest first. */
export const PersonalTokensOfUser = query('PersonalTokensOfUser', async (models, userId: string): Promise<readonly PersonalTokenRow[]> => {
  const wanted = { index: 'byUser', where: { user_id: userId }, limit: MOST_TOKENS_OF_USER } as const;
  return (await models.find(personalTokenRows, wanted)).rows;
});

/** The tokens of all users, oldest first. */
export const AllPersonalTokens = query(
  'AllPersonalTokens',
  async (models, after: string | null, limit: number): Promise<readonly PersonalTokenRow[]> => {
    return (await models.find(personalTokenRows, { index: 'key', limit, ...(after !== null && { after: [after] }) })).rows;
  },
);

/** The number of tokens read at once, and the most that one page searches. If they are not enough, the next page continues. */
const AT_ONCE = 500;
const MOST_SEARCHED = 10_000;

interface Page {
  readonly rows: readonly PersonalTokenRow[];
  /** The last token that was read, if others follow. */
  readonly next: string | null;
}

/** The valid tokens that may call at least one of these models and routes, oldest first. `now` in epoch seconds. */
export const TokensThatCall = query(
  'TokensThatCall',
  async (models, names: readonly string[], now: number, after: string | null, limit: number): Promise<Page> => {
    const found: PersonalTokenRow[] = [];
    let last = after;
    for (let searched = 0; ; searched += AT_ONCE) {
      const page = await models.find(personalTokenRows, { index: 'key', limit: AT_ONCE, ...(last !== null && { after: [last] }) });
      for (const row of page.rows) {
        // One token more than is returned, to know whether there is another page.
        if (row.terms === null || row.expires_at <= now || !names.some((name) => allowsModel(row.terms!, name))) continue;
        if (found.length === limit) return { rows: found, next: found.at(-1)!.token_id };
        found.push(row);
      }
      last = page.rows.at(-1)?.token_id ?? last;
      if (page.next === null) return { rows: found, next: null };
      if (searched + AT_ONCE >= MOST_SEARCHED) return { rows: found, next: last };
      await setImmediate();
    }
  },
);
