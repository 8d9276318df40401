import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { derivedId } from '@parlance/http';
import type { CloudEvent } from '@parlance/messaging';
import { MailServer } from '../../adapters/mail/mail-server.ts';
import { ExecuteOutgoingMail } from '../../commands/aggregates.ts';
import type { MailKind } from '../../domain/mail/outgoing-mail.ts';

/** No mail is sent for older events. They are delivered again after a restore, or when the service first reads another service's topic. */
export const NEWS_DAYS = 3;
const DAY_MILLIS = 86_400_000;

export interface MailTerms {
  /** The ID of the mail. */
  readonly id: string;
  readonly expiresAt?: Instant | null;
  /** How long the mail waits before it is sent. */
  readonly delayMillis?: number;
  readonly subjectId?: string;
  readonly conversationId?: string;
}

/** Requests the mails that events cause. A repeated delivery of an event requests no second mail, because the ID of the mail is the same. */
@Injectable()
export class MailsOfEvents {
  constructor(
    private readonly commands: CommandBus,
    private readonly server: MailServer,
    private readonly clock: Clock,
  ) {}

  /** Whether events of this time cause mails. */
  areSentFor({ time }: Pick<CloudEvent, 'time'>): boolean {
    return this.server.isOn && this.clock.now() - Date.parse(time) <= NEWS_DAYS * DAY_MILLIS;
  }

  async request(kind: MailKind, userId: string, { id, expiresAt = null, delayMillis = 0, ...terms }: MailTerms): Promise<void> {
    const now = this.clock.now();
    const dueAt = Instant.plus(now, delayMillis);
    await this.commands.execute(new ExecuteOutgoingMail(id, { type: 'Request', kind, userId, ...terms, expiresAt, dueAt, now }));
  }
}

/** The ID of the one mail of a kind to a user in a period. */
export const idInPeriod = (time: string, millis: number, kind: MailKind, userId: string): string =>
  derivedId(userId, `${kind} ${Math.floor(Date.parse(time) / millis)}`);
