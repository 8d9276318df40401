import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { LinkTokens } from '../../adapters/mail/link-tokens.ts';
import { MailServer } from '../../adapters/mail/mail-server.ts';
import { ExecuteOutgoingMail, ExecuteResetRequests, ExecuteUser } from '../../commands/aggregates.ts';
import { getsMail } from '../../domain/mail/outgoing-mail.ts';
import { RESET_VALID_MILLIS } from '../../domain/mail/reset-requests.ts';
import { user, userStream } from '../../domain/user.ts';
import { OpenResetRequests, type ResetRequestRow } from '../../projections/reset-requests.ts';
import { Addresses } from '../addresses.ts';
import { RequestRounds, SETTLED_AT_ONCE } from './settle-requests.ts';

/**
 * Password resets by mail. A request costs the same, and is answered the same, for each address: it is recorded without looking up the user.
 * A later round looks up the user, offers the token, and requests the mail.
 */
@Injectable()
export class PasswordResets {
  private readonly rounds = new RequestRounds<ResetRequestRow>('password resets');

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly tokens: LinkTokens,
    private readonly server: MailServer,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusal `mail_disabled`. */
  async request(mailId: string, email: string): Promise<void> {
    if (!this.server.isOn) throw refuse('forbidden', 'mail_disabled', 'This installation sends no mail. Ask an administrator for a token.');
    const command = { type: 'Request', mailId, now: this.clock.now() } as const;
    await this.commands.execute(new ExecuteResetRequests(this.addresses.hashOf(email), command));
  }

  /** One round over the open requests. */
  settleRequests(): Promise<void> {
    return this.rounds.run(
      (after) => this.queries.execute(new OpenResetRequests(after, SETTLED_AT_ONCE)),
      (row) => this.settle(row),
    );
  }

  private async settle({ address_hash, mail_id: mailId, requested_at }: ResetRequestRow): Promise<void> {
    const expiresAt = Instant.plus(requested_at, RESET_VALID_MILLIS);
    // An expired request is settled without reading its user, so that it ends even if the user cannot be read.
    const userId = this.clock.now() < expiresAt ? await this.addresses.holderOfHash(address_hash) : null;
    if (userId !== null && (await this.mayReset(userId, expiresAt))) {
      try {
        await this.offer(userId, mailId, expiresAt);
      } catch (error) {
        // The user was erased meanwhile.
        if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
      }
    }
    await this.commands.execute(new ExecuteResetRequests(address_hash, { type: 'Settle', mailId }));
  }

  /**
   * A user who signs in only through a provider gets no password in this way. A token that is valid for longer was offered by an administrator. A
   * request by mail does not void it, because anybody can send one.
   */
  private async mayReset(userId: string, expiresAt: Instant): Promise<boolean> {
    const state = await this.streams.load(user, userStream(userId));
    return getsMail(state) && state.passwordHash !== null && (state.reset === null || state.reset.expiresAt <= expiresAt);
  }

  /** The token is offered once, even if the process ends before the request is settled: a used token never becomes valid again. */
  private async offer(userId: string, mailId: string, expiresAt: Instant): Promise<void> {
    const { hash: tokenHash } = this.tokens.of('password_reset', userId, mailId);
    const offer = { type: 'OfferPasswordReset', offerId: mailId, tokenHash, expiresAt } as const;
    await this.commands.execute(new ExecuteUser(userId, offer, { once: `password-reset-mail/${mailId}` }));
    const request = { type: 'Request', kind: 'password_reset', userId, expiresAt, now: this.clock.now() } as const;
    await this.commands.execute(new ExecuteOutgoingMail(mailId, request));
  }
}
