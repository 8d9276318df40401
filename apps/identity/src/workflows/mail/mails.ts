import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { allAtOnce, Clock, LOGGER, METRICS, PagedRounds } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import type { Metrics } from '@parlance/observability';
import type { Logger } from 'pino';
import { MailServer } from '../../adapters/mail/mail-server.ts';
import type { SmtpResult } from '../../adapters/mail/smtp.ts';
import { ExecuteOutgoingMail } from '../../commands/aggregates.ts';
import { type PendingMail } from '../../domain/mail/outgoing-mail.ts';
import { DueMails, type MailRow, MailsOfUser } from '../../projections/mails.ts';
import { MailContents } from './mail-contents.ts';
import { type Cursor } from '@parlance/read-models';

/** Mails that one process sends at the same time. */
const MAILS_AT_ONCE = 10;
/**
 * How long one round starts further mails. Long rounds help mails with expiring links that are queued after many others, but a stopping
 * process waits for its round.
 */
const ROUND_MILLIS = 3_000;

/** Sends the mails that are due. A try is leased before the mail is sent, and its outcome is recorded after that. */
@Injectable()
export class Mails {
  private readonly rounds = new PagedRounds<MailRow, Cursor>('mails could not be handled', ({ mail_id }) => mail_id);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly contents: MailContents,
    private readonly server: MailServer,
    private readonly clock: Clock,
    @Inject(METRICS) private readonly metrics: Pick<Metrics, 'mail'>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** One round: sends mails that are due. */
  async sendDue(): Promise<void> {
    await this.rounds.run(
      (after) => this.queries.execute(new DueMails(this.clock.now(), after, MAILS_AT_ONCE)),
      ({ mail_id }) => this.send(mail_id),
      { millis: ROUND_MILLIS, pace: allAtOnce() },
    );
  }

  /** Ends all mails to a user that are not sent yet. */
  async withdrawAll(userId: string): Promise<void> {
    let rows;
    do {
      rows = await this.queries.execute(new MailsOfUser(userId, MAILS_AT_ONCE));
      for (const { mail_id } of rows) await this.commands.execute(new ExecuteOutgoingMail(mail_id, { type: 'Withdraw' }));
    } while (rows.length === MAILS_AT_ONCE);
  }

  private async send(mailId: string): Promise<void> {
    const tryId = newId();
    const mail = await this.begin(mailId, tryId);
    if (mail === null) return;
    const sent = await this.trySending(mailId, mail);
    if (sent === null) {
      await this.commands.execute(new ExecuteOutgoingMail(mailId, { type: 'Withdraw' }));
      return;
    }
    const { outcome, status, err } = sent;
    const conclusion = { type: 'Conclude', tryId, outcome, now: this.clock.now() } as const;
    const { state } = await this.commands.execute(new ExecuteOutgoingMail(mailId, conclusion));
    if (state.status === 'failed') this.noteFailed(mailId, mail.kind, status);
    else if (state.status === 'pending') {
      this.metrics.mail('delayed');
      this.log.warn({ mail: mailId, kind: mail.kind, status, err }, 'a mail was not sent; another try follows');
    } else this.metrics.mail('sent');
  }

  /** Null if the mail must not be sent any more. */
  private async trySending(mailId: string, mail: PendingMail): Promise<(SmtpResult & { readonly err?: unknown }) | null> {
    try {
      const composed = await this.contents.of(mailId, mail);
      return composed && (await this.server.send(mailId, composed.to, composed.mail));
    } catch (err) {
      // Another service, which knows whether the mail still concerns the user, does not answer.
      if (!isTransient(err)) throw err;
      return { outcome: 'unavailable', status: null, err };
    }
  }

  /** Null if another process sends the mail, or if the mail has failed. */
  private async begin(mailId: string, tryId: string): Promise<PendingMail | null> {
    try {
      const before = new ExecuteOutgoingMail(mailId, { type: 'Begin', tryId, now: this.clock.now() });
      const { state, written } = await this.commands.execute(before);
      if (state.status === 'pending') return state.tryId === tryId ? state : null;
      if (written && state.status === 'failed') this.noteFailed(mailId, null, null);
      return null;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'mail_not_due') return null;
      throw error;
    }
  }

  private noteFailed(mailId: string, kind: string | null, status: number | null): void {
    this.metrics.mail('failed');
    this.log.error({ mail: mailId, kind, status }, 'a mail failed permanently');
  }
}
