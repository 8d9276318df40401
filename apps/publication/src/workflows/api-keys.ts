import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock, userSubject } from '@parlance/foundation';
import { Vault } from '@parlance/privacy';
import { RevocationFeed } from '@parlance/revocation';
import { mintApiKey } from '@parlance/http';
import { ExecutePublication } from '../commands/aggregates.ts';

/** The bot whose publication has the keys, its owner, and the signed-in user. */
export interface KeyOwner {
  readonly botId: string;
  readonly ownerUserId: string;
  readonly by: string;
}

/** A key, and the revision that the user has read; absent to accept any. */
export interface KeyAsRead {
  readonly keyId: string;
  readonly revision?: number;
}

export interface NewKey {
  readonly keyId: string;
  readonly description: string;
  readonly expiresAt: Instant | null;
  readonly allowedIpRanges: readonly string[];
}

/** Creates, changes and revokes API keys. A method that takes rights away resolves when no edge accepts the earlier state of the key. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly commands: CommandBus,
    private readonly vault: Vault,
    private readonly edges: RevocationFeed,
    private readonly clock: Clock,
  ) {}

  /**
   * The value of the new key; null for a repeated request, whose first response showed it.
   * Throws `not_published`, `publication_not_succeeded`, `expiry_passed` and `too_many_api_keys`.
   */
  async create({ botId, ownerUserId, by }: KeyOwner, { description, ...key }: NewKey): Promise<string | null> {
    const { value, hash, ending } = mintApiKey(key.keyId);
    const sealed = await this.vault.seal(userSubject(ownerUserId), description);
    const facts = { ...key, description: sealed, hash, ending };
    const command = { type: 'CreateKey', by, now: this.clock.now(), facts } as const;
    const { written } = await this.commands.execute(new ExecutePublication(botId, command));
    return written ? value : null;
  }

  /** Throws `not_published`, `publication_not_succeeded`, `api_key_not_found`, `version_stale` and `expiry_passed`. */
  async change(
    { botId, ownerUserId, by }: KeyOwner,
    key: KeyAsRead,
    { description, ...change }: { readonly description?: string; readonly enabled?: boolean; readonly expiresAt?: Instant | null },
  ): Promise<void> {
    const sealed = description === undefined ? {} : { description: await this.vault.seal(userSubject(ownerUserId), description) };
    const command = { type: 'ChangeKey', by, ...key, now: this.clock.now(), change: { ...change, ...sealed } } as const;
    const { position } = await this.commands.execute(new ExecutePublication(botId, command));
    await this.edges.seenByAll(position);
  }

  /** Throws `not_published`, `publication_not_succeeded`, `api_key_not_found` and `version_stale`. */
  async revoke({ botId, by }: KeyOwner, key: KeyAsRead): Promise<void> {
    const { position } = await this.commands.execute(new ExecutePublication(botId, { type: 'RevokeKey', by, ...key }));
    await this.edges.seenByAll(position);
  }
}
