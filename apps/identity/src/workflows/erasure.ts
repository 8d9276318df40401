import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { type Sealed, Vault } from '@parlance/privacy';
import { RevocationFeed } from '@parlance/revocation';
import { Clock, Streams, userSubject } from '@parlance/foundation';
import { ServiceCalls } from '@parlance/calls';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { user, userStream } from '../domain/user.ts';
import { PersonalTokensOfUser } from '../projections/personal-tokens.ts';
import { Addresses } from './addresses.ts';
import { AdminSeats } from './admin-seats.ts';
import { ExecuteExternalIdentity, ExecuteFactors, ExecutePersonalTokens, ExecuteUser } from '../commands/aggregates.ts';
import { Invitations } from './mail/invitations.ts';
import { PasskeyClaims } from './factors/passkey-claims.ts';
import { Mails } from './mail/mails.ts';
import { Sessions } from './sessions.ts';

export const ErasureReceipt = z.object({
  user_id: z.string(),
  erased_at: z.int().describe('Time in epoch seconds.'),
  erased: z.array(
    z.object({
      service: z.string(),
      status: z.enum(['done', 'pending']).describe('Status; pending if the service has not finished yet.'),
      removed: z.record(z.string(), z.int()).describe('Number of removed items by kind.'),
    }),
  ),
});
export type ErasureReceipt = z.infer<typeof ErasureReceipt>;

nameSchemas({ ErasureReceipt });

const others = ['bots', 'publication', 'inference', 'analytics'] as const;

/**
 * Erases a user. The decision is recorded first. The process that decided then removes the data, and `finish-erasure-when-user-erased`
 * repeats that in case of a crash. Each step does nothing the second time.
 */
@Injectable()
export class Erasure {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly adminSeats: AdminSeats,
    private readonly addresses: Addresses,
    private readonly sessions: Sessions,
    private readonly mails: Mails,
    private readonly invitations: Invitations,
    private readonly passkeyClaims: PasskeyClaims,
    private readonly revocations: RevocationFeed,
    private readonly vault: Vault,
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `user_not_found`, `last_admin` and `on_hold`, which names a hold if the caller is an administrator. */
  async erase(userId: string, { ifMatch, forAdmin }: { ifMatch?: string | undefined; forAdmin: boolean }): Promise<ErasureReceipt> {
    // Counted before the decision, because another replica may end the sessions right after it.
    const sessions = await this.sessions.countOf(userId);
    const tokens = (await this.queries.execute(new PersonalTokensOfUser(userId))).length;
    const { state, position } = await this.adminSeats.giveUpSeatThenChange(userId, { type: 'Erase', forAdmin }, ifMatch);
    // No session may act for the user while the other services remove their data.
    await this.revocations.seenByAll(position);
    const links = state.status === 'erased' ? state.linked.length : 0;
    await this.finishInIdentity(userId);
    const elsewhere = await Promise.all(others.map((service) => this.eraseIn(service, userId)));
    return {
      user_id: userId,
      erased_at: Instant.toSeconds(this.clock.now()),
      erased: [
        { service: 'identity', status: 'done', removed: { keys: 1, users: 1, sessions, tokens, linked_identities: links } },
        ...elsewhere,
      ],
    };
  }

  /**
   * Ends the sessions, the mails and an invitation of the address, forgets the second factors, and releases the passkeys, the address and the linked
   * identities. The key is destroyed last, because it is needed to read the address.
   */
  async finishInIdentity(userId: string): Promise<void> {
    const state = await this.streams.load(user, userStream(userId));
    if (state.status !== 'erased') return;
    await this.sessions.endAll(userId, 'user_erased');
    await this.mails.withdrawAll(userId);
    await this.commands.execute(new ExecutePersonalTokens(userId, { type: 'Close' }));
    await this.commands.execute(new ExecuteFactors(userId, { type: 'Forget' }));
    await this.passkeyClaims.releaseFormer(userId);
    for (const identityHash of state.linked) {
      await this.commands.execute(new ExecuteExternalIdentity(identityHash, { type: 'Unlink', userId }));
    }
    const email = await this.vault.open(state.email as Sealed);
    if (email !== null) {
      await this.invitations.forget(email);
      await this.addresses.release(userId, email);
    }
    await this.vault.shred(userSubject(userId).id);
  }

  /**
   * Erases a user in all services once more: a request that began before the erasure, in a process that still had the user's key, may have
   * written something after they had looked. Rejects with the names of the services that have not done it.
   */
  async repeat(userId: string): Promise<void> {
    await this.finishInIdentity(userId);
    const elsewhere = await Promise.all(others.map((service) => this.eraseIn(service, userId)));
    const pending = elsewhere.filter(({ status }) => status === 'pending').map(({ service }) => service);
    if (pending.length > 0) throw new Error(`not erased yet in: ${pending.join(', ')}`);
    await this.commands.execute(new ExecuteUser(userId, { type: 'EndErasure' }));
  }

  private async eraseIn(service: string, userId: string): Promise<ErasureReceipt['erased'][number]> {
    try {
      const { removed } = await this.calls.post<{ removed: Record<string, number> }>(service, '/internal/erasures', { user_id: userId });
      return { service, status: 'done', removed };
    } catch {
      return { service, status: 'pending', removed: {} };
    }
  }
}
