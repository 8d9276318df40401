import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { fullName } from '@parlance/contracts';
import { Refusal } from '@parlance/decider';
import type { CallTerms } from '@parlance/observability';
import { UserListing } from './user-listing.ts';

/** The most IDs in one call. */
const AT_ONCE = 1_000;

/** Names by ID. Analytics stores only IDs: the other services have the names, until they are erased. */
@Injectable()
export class SubjectNames {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly listing: UserListing,
  ) {}

  /**
   * Users and bots, requested at the same time. If a service is unavailable, its names are missing, for lists that must be readable then
   * too.
   */
  async known(ids: { readonly users: readonly string[]; readonly bots: readonly string[] }): Promise<KnownNames> {
    const [user, bot] = await Promise.all([orUnnamed(this.ofUsers(ids.users)), orUnnamed(this.ofBots(ids.bots))]);
    return { user, bot };
  }

  /** First and last names of users, or their addresses. An erased user has none. */
  async ofUsers(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return inPieces(ids, async (some) => {
      const people = [...(await this.listing.persons(some)).values()];
      return people.map((each) => [each.user_id, fullName(each) || each.email]);
    });
  }

  /** Titles of bots, also of deleted ones until their owners are erased. */
  async ofBots(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return inPieces(ids, async (bot_ids) => {
      const { titles } = await this.calls.post<{ titles: Readonly<Record<string, string>> }>(
        'bots',
        '/internal/bots/titles',
        { bot_ids },
        HARMLESS,
      );
      return Object.entries(titles);
    });
  }

  /** Personal access tokens. Revoked tokens are missing, and all tokens while identity is unavailable or older. */
  async ofTokens(ids: readonly string[]): Promise<ReadonlyMap<string, DescribedToken>> {
    const described = inPieces(ids, async (token_ids) => {
      type Described = { tokens: readonly DescribedToken[] };
      const { tokens } = await this.calls.post<Described>('identity', '/internal/personal-tokens/described', { token_ids }, HARMLESS);
      return tokens.map((token) => [token.token_id, token] as const);
    });
    return orUnnamed(described, 'no_such_route');
  }

  /** Descriptions of API keys. Revoked keys have none, and all keys while the publication service is unavailable or older. */
  async ofKeys(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const described = inPieces(ids, async (key_ids) => {
      type Described = { descriptions: Readonly<Record<string, string>> };
      const { descriptions } = await this.calls.post<Described>('publication', '/internal/api-keys/descriptions', { key_ids }, HARMLESS);
      return Object.entries(descriptions);
    });
    return orUnnamed(described, 'no_such_route');
  }
}

/** A token as identity describes it. */
export interface DescribedToken {
  readonly token_id: string;
  readonly user_id: string;
  readonly description: string;
  /** Null for a token without the scope models. */
  readonly call_terms: CallTerms | null;
}

/** By kind and ID. */
export type KnownNames = Readonly<Record<'user' | 'bot', ReadonlyMap<string, string>>>;

type Named<Name> = readonly (readonly [id: string, name: Name])[];

async function inPieces<Name>(
  ids: readonly string[],
  named: (some: readonly string[]) => Promise<Named<Name>>,
): Promise<ReadonlyMap<string, Name>> {
  const found = new Map<string, Name>();
  for (let from = 0; from < ids.length; from += AT_ONCE)
    for (const [id, name] of await named(ids.slice(from, from + AT_ONCE))) found.set(id, name);
  return found;
}

/** Without names if the service is unavailable, or refuses with this code. */
async function orUnnamed<Name>(names: Promise<ReadonlyMap<string, Name>>, code?: string): Promise<ReadonlyMap<string, Name>> {
  return names.catch((error: unknown) => {
    if (error instanceof Refusal && (error.kind === 'unavailable' || error.code === code)) return new Map<string, Name>();
    throw error;
  });
}
