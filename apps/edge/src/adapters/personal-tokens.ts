import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import type { CallTerms } from '@parlance/observability';
import { RevocationWatcher } from '@parlance/revocation';
import { AddressRanges } from '../http/addresses/address-ranges.ts';
import type { AccessToken } from './access-token-verifier.ts';
import { Copies } from './copies.ts';

/** The terms of a personal access token. */
export interface PersonalTerms {
  readonly tokenId: string;
  readonly scopes: ReadonlySet<string>;
  readonly ranges: AddressRanges;
  /** While one of these is revoked, an answer to a request with the token is ended. */
  readonly streamKeys: readonly string[];
}

export interface PersonalAccessToken extends AccessToken {
  readonly personal: PersonalTerms;
}

/** A token with the right form and checksum, as a request presented it. */
export interface PresentedToken {
  readonly tokenId: string;
  readonly hash: Buffer;
}

interface TokenAnswer {
  readonly user_id: string;
  readonly email: string | null;
  readonly groups: readonly string[];
  readonly usable: boolean;
  readonly password_change_required: boolean;
  readonly scopes: readonly string[];
  readonly hash: string;
  readonly expires_at: number;
  readonly allowed_ip_ranges: readonly string[];
  readonly call_terms?: CallTerms | null;
  /** Revisions of the token, its owner, the groups and the terms for calls, in this order. */
  readonly names: readonly [token: string, owner: string, groups: string, ...terms: string[]];
  readonly copy_seconds: number;
}

interface Copy {
  readonly hash: Buffer;
  /** Null while the owner may not use the token. */
  readonly token: PersonalAccessToken | null;
}

const MOST_TOKENS = 10_000;
/** How long the edge remembers that a token does not exist. IDs are random, so nobody uses the ID of a later token by chance. */
const NOTHING_MS = 60_000;

/** Personal access tokens, with the current rights of their owners. A change of the owner invalidates the copies. */
@Injectable()
export class PersonalTokens {
  private readonly copies: Copies<Copy>;

  constructor(calls: ServiceCalls, watcher: RevocationWatcher) {
    const ask = async (tokenId: string) => {
      const answer = await orNothing(calls.get<TokenAnswer>('identity', `/internal/personal-tokens/${tokenId}`));
      if (answer === null) return { value: null, names: [], millis: NOTHING_MS };
      return { value: copyOf(tokenId, answer), names: answer.names, millis: answer.copy_seconds * 1_000 };
    };
    this.copies = new Copies(ask, watcher, MOST_TOKENS);
  }

  /** The token, if it is certain without waiting that it is valid except for its expiry; null otherwise. */
  known({ tokenId, hash }: PresentedToken): PersonalAccessToken | null {
    return matching(this.copies.known(tokenId), hash);
  }

  /** The current state of the token, or null. Rejects with `service_unavailable` if it cannot be read now. */
  async current({ tokenId, hash }: PresentedToken): Promise<PersonalAccessToken | null> {
    return matching(await this.copies.current(tokenId), hash);
  }

  /** Like `current`, for a signature that names a token by its ID. */
  async ofId(tokenId: string): Promise<PersonalAccessToken | null> {
    return (await this.copies.current(tokenId))?.token ?? null;
  }
}

const matching = (copy: Copy | null | undefined, hash: Buffer): PersonalAccessToken | null =>
  copy && copy.hash.length === hash.length && timingSafeEqual(copy.hash, hash) ? copy.token : null;

function copyOf(tokenId: string, answer: TokenAnswer): Copy {
  const { user_id: userId, email, groups, names } = answer;
  const callTerms = answer.call_terms ?? null;
  const token = { tokenId, ...(callTerms && { callTerms }) };
  const caller = { userId, ...(email !== null && { email }), groups, sessionId: null, ...token, kind: 'user' } as const;
  const [tokenName, owner] = names;
  const personal = {
    tokenId,
    scopes: new Set(answer.scopes),
    ranges: new AddressRanges(answer.allowed_ip_ranges),
    // A change of a group does not end streams. Deleting a group removes its members first, and their removal does end them.
    streamKeys: [tokenName, owner, `user:${userId}`],
  };
  const usable = {
    caller,
    passwordChangeRequired: answer.password_change_required,
    // Identity reports a token without a required second factor as not usable.
    secondFactorMissing: false,
    expires: answer.expires_at,
    personal,
  };
  return { hash: Buffer.from(answer.hash, 'hex'), token: answer.usable ? usable : null };
}

async function orNothing<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'missing') return null;
    throw error;
  }
}
