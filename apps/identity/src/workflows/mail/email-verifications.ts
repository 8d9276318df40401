import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { type Sealed, Vault } from '@parlance/privacy';
import { LinkTokens, readToken } from '../../adapters/mail/link-tokens.ts';
import { MailServer } from '../../adapters/mail/mail-server.ts';
import { ExecuteEmailVerifications, ExecuteOutgoingMail, ExecuteUser } from '../../commands/aggregates.ts';
import {
  canVerify,
  emailVerifications,
  emailVerificationsStream,
  invalidVerificationToken,
  VERIFICATION_VALID_MILLIS,
} from '../../domain/mail/email-verifications.ts';
import { getsMail } from '../../domain/mail/outgoing-mail.ts';
import { user, userStream } from '../../domain/user.ts';
import { OpenVerificationRequests, type VerificationRequestRow } from '../../projections/email-verifications.ts';
import { Addresses } from '../addresses.ts';
import { RequestRounds, SETTLED_AT_ONCE } from './settle-requests.ts';

/** Mails with a link that verifies the address of a user. A request is answered the same, and costs the same, for each address. */
@Injectable()
export class EmailVerifications {
  private readonly rounds = new RequestRounds<VerificationRequestRow>('mails that verify addresses');

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly tokens: LinkTokens,
    private readonly server: MailServer,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusal `mail_disabled`. */
  async request(mailId: string, email: string): Promise<void> {
    if (!this.server.isOn) throw refuse('forbidden', 'mail_disabled', 'This installation sends no mail. Ask an administrator.');
    const command = { type: 'Request', mailId, now: this.clock.now() } as const;
    await this.commands.execute(new ExecuteEmailVerifications(this.addresses.hashOf(email), command));
  }

  /** One round over the open requests. */
  settleRequests(): Promise<void> {
    return this.rounds.run(
      (after) => this.queries.execute(new OpenVerificationRequests(after, SETTLED_AT_ONCE)),
      (row) => this.settle(row),
    );
  }

  /**
   * The user is written first. If the process ends before the use of the link is recorded, the next use of the link only records that.
   * Throws the refusal `invalid_verification_token`.
   */
  async verify(token: string): Promise<void> {
    const shown = readToken(token);
    if (shown === null) throw invalidVerificationToken();
    const { id: userId, hash } = shown;
    const state = await this.streams.load(user, userStream(userId));
    const email = state.status === 'registered' ? await this.vault.open(state.email as Sealed) : null;
    if (state.status !== 'registered' || email === null) throw invalidVerificationToken();
    // The requests for the current address, so that a link for an earlier address is void.
    const addressHash = this.addresses.hashOf(email);
    const { last } = await this.streams.load(emailVerifications, emailVerificationsStream(addressHash));
    const isRight = canVerify(last, this.clock.now()) && this.tokens.of('email_verification', userId, last.mailId).hash === hash;
    if (!isRight) throw invalidVerificationToken();
    RequestContext.concern(userId);
    try {
      await this.commands.execute(new ExecuteUser(userId, { type: 'ConfirmEmail', email: state.email }));
    } catch (error) {
      // The user was erased meanwhile.
      throw error instanceof Refusal && error.code === 'user_not_found' ? invalidVerificationToken() : error;
    }
    await this.commands.execute(new ExecuteEmailVerifications(addressHash, { type: 'Use', mailId: last.mailId }));
  }

  private async settle({ address_hash, mail_id: mailId, requested_at }: VerificationRequestRow): Promise<void> {
    const now = this.clock.now();
    const expiresAt = Instant.plus(requested_at, VERIFICATION_VALID_MILLIS);
    // An expired request is settled without reading its user, so that it ends even if the user cannot be read.
    const userId = now < expiresAt ? await this.addresses.holderOfHash(address_hash) : null;
    if (userId !== null) {
      const state = await this.streams.load(user, userStream(userId));
      const request = { type: 'Request', kind: 'email_verification', userId, addressHash: address_hash, expiresAt, now } as const;
      if (getsMail(state) && !state.emailVerified) await this.commands.execute(new ExecuteOutgoingMail(mailId, request));
    }
    await this.commands.execute(new ExecuteEmailVerifications(address_hash, { type: 'Settle', mailId }));
  }
}
