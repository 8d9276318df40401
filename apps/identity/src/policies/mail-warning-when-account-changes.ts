import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import {
  BudgetNearlyReached,
  BudgetReached,
  OwnExportReady,
  PasswordChanged,
  PersonalTokenCreated,
  SecondFactorAdded,
  SecondFactorRemoved,
  SecondFactorsReset,
} from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import type { MailKind } from '../domain/mail/outgoing-mail.ts';
import { idInPeriod, MailsOfEvents, type MailTerms } from '../workflows/mail/mails-of-events.ts';

/**
 * The changes of one kind in a period cause one mail. A user can change the account any number of times, and its address may belong to a
 * stranger.
 */
export const WARNING_PERIOD_MILLIS = 5 * 60_000;

/**
 * Mails a user when a credential of the account changes, when the user's own budget is nearly or fully spent, and when an export of the user's own
 * data is ready. The ID of the mail is the ID of the event, or is derived from the user, the kind and the period. So a repeated delivery of the event
 * requests no second mail, and all tries of a mail have the same Message-ID.
 */
@Controller()
export class MailWarningWhenAccountChanges {
  constructor(private readonly mails: MailsOfEvents) {}

  @EventPattern(PasswordChanged.type)
  async onPasswordChanged(@Payload() event: CloudEvent<PasswordChanged>) {
    // The password belonged to a person who had signed up with the address of this user.
    if (event.data.because === 'address_proved_by_another') return;
    await this.warn(event, 'password_changed', event.data.user_id);
  }

  @EventPattern(SecondFactorAdded.type)
  async onSecondFactorAdded(@Payload() event: CloudEvent<SecondFactorAdded>) {
    await this.warn(event, 'second_factor_added', event.data.user_id);
  }

  @EventPattern(SecondFactorRemoved.type)
  async onSecondFactorRemoved(@Payload() event: CloudEvent<SecondFactorRemoved>) {
    await this.warn(event, 'second_factor_removed', event.data.user_id);
  }

  @EventPattern(SecondFactorsReset.type)
  async onSecondFactorsReset(@Payload() event: CloudEvent<SecondFactorsReset>) {
    await this.warn(event, 'second_factors_reset', event.data.user_id);
  }

  @EventPattern(PersonalTokenCreated.type)
  async onPersonalTokenCreated(@Payload() event: CloudEvent<PersonalTokenCreated>) {
    await this.warn(event, 'token_created', event.data.user_id);
  }

  @EventPattern(BudgetNearlyReached.type)
  async onBudgetNearlyReached(@Payload() event: CloudEvent<BudgetNearlyReached>) {
    await this.warnOfOwnBudget(event, 'budget_nearly_reached');
  }

  @EventPattern(BudgetReached.type)
  async onBudgetReached(@Payload() event: CloudEvent<BudgetReached>) {
    await this.warnOfOwnBudget(event, 'budget_reached');
  }

  @EventPattern(OwnExportReady.type)
  async onOwnExportReady(@Payload() event: CloudEvent<OwnExportReady>) {
    const { user_id, requested_by, expires_at } = event.data;
    const kind = requested_by === 'admin' ? 'own_export_ready_by_admin' : 'own_export_ready';
    await this.warn(event, kind, user_id, { expiresAt: Instant.parse(expires_at) });
  }

  private async warnOfOwnBudget(event: CloudEvent<BudgetNearlyReached | BudgetReached>, kind: MailKind): Promise<void> {
    const { scope, scope_id } = event.data;
    if (scope === 'user' && scope_id !== null) await this.warn(event, kind, scope_id, { id: event.id });
  }

  private async warn(event: CloudEvent, kind: MailKind, userId: string, terms: Partial<MailTerms> = {}): Promise<void> {
    if (!this.mails.areSentFor(event)) return;
    const id = idInPeriod(event.time, WARNING_PERIOD_MILLIS, kind, userId);
    await this.mails.request(kind, userId, { id, ...terms });
  }
}
