import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import {
  ApprovalWanted,
  BotNarrowed,
  BotWidened,
  BudgetNearlyReached,
  BudgetReached,
  CallBudgetNearlyReached,
  CallBudgetReached,
  ProjectShared,
  PromptSharingChanged,
} from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import type { Cursor } from '@parlance/read-models';
import { administrators, administratorsStream } from '../domain/administrators.ts';
import type { NotificationMailKind } from '../domain/mail/outgoing-mail.ts';
import { MailReaders, MailReadersIn, type PageOfReaders } from '../projections/mail-readers.ts';
import { idInPeriod, MailsOfEvents, type MailTerms } from '../workflows/mail/mails-of-events.ts';

/** What is no longer news after this time causes no mail: the user has answered, or may no longer see it. */
export const NOTIFICATION_DELAY_MILLIS = 2 * 60_000;
/** Everything of one kind in a period causes one mail, because other users can share with a user any number of times. */
export const NOTIFICATION_PERIOD_MILLIS = 60 * 60_000;
/** The most members of groups who get a mail about one event. */
const MOST_MEMBERS = 1_000;
/** Requests that run at the same time. */
const REQUESTED_AT_ONCE = 20;

type SpentBudget = BudgetNearlyReached | BudgetReached | CallBudgetNearlyReached | CallBudgetReached;

interface Audience {
  readonly userIds: readonly string[];
  readonly groups: readonly string[];
}

/** Mails users who have chosen so what they are notified about, except for what all users get mails about. */
@Controller()
export class MailNotificationWhenChosen {
  constructor(
    private readonly mails: MailsOfEvents,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
  ) {}

  @EventPattern(BotWidened.type)
  async onBotWidened(@Payload() event: CloudEvent<BotWidened>) {
    await this.shared(event, 'bot_shared', event.data.bot_id);
  }

  @EventPattern(BotNarrowed.type)
  async onBotNarrowed(@Payload() event: CloudEvent<BotNarrowed>) {
    await this.shared(event, 'bot_shared', event.data.bot_id);
  }

  @EventPattern(PromptSharingChanged.type)
  async onPromptSharingChanged(@Payload() event: CloudEvent<PromptSharingChanged>) {
    await this.shared(event, 'prompt_shared', event.data.prompt_id);
  }

  @EventPattern(ProjectShared.type)
  async onProjectShared(@Payload() event: CloudEvent<ProjectShared>) {
    const { user_id, project_id } = event.data;
    await this.notify(event, 'project_shared', { userIds: [user_id], groups: [] }, { subjectId: project_id });
  }

  @EventPattern(ApprovalWanted.type)
  async onApprovalWanted(@Payload() event: CloudEvent<ApprovalWanted>) {
    const { user_id, reply_id, conversation_id, expires_at } = event.data;
    // Each time it waits, it has a mail of its own: only its user can cause them.
    const terms = { id: event.id, subjectId: reply_id, conversationId: conversation_id, expiresAt: Instant.parse(expires_at) };
    await this.notify(event, 'approval_wanted', { userIds: [user_id], groups: [] }, terms, null);
  }

  @EventPattern(BudgetNearlyReached.type)
  async onBudgetNearlyReached(@Payload() event: CloudEvent<BudgetNearlyReached>) {
    await this.spent(event, 'budget_threshold');
  }

  @EventPattern(BudgetReached.type)
  async onBudgetReached(@Payload() event: CloudEvent<BudgetReached>) {
    await this.spent(event, 'budget_spent');
  }

  @EventPattern(CallBudgetNearlyReached.type)
  async onCallBudgetNearlyReached(@Payload() event: CloudEvent<CallBudgetNearlyReached>) {
    await this.spent(event, 'budget_threshold');
  }

  @EventPattern(CallBudgetReached.type)
  async onCallBudgetReached(@Payload() event: CloudEvent<CallBudgetReached>) {
    await this.spent(event, 'budget_spent');
  }

  private async shared(event: CloudEvent<BotWidened | BotNarrowed | PromptSharingChanged>, kind: NotificationMailKind, subjectId: string) {
    const { added_user_ids: userIds = [], added_group_ids: groups = [] } = event.data;
    await this.notify(event, kind, { userIds, groups }, { subjectId });
  }

  /** To administrators. All users get a mail about their own budget. */
  private async spent(event: CloudEvent<SpentBudget>, kind: NotificationMailKind) {
    const { budget_id: subjectId, scope, scope_id } = event.data;
    const { seats } = await this.streams.load(administrators, administratorsStream);
    const userIds = Object.keys(seats).filter((id) => scope !== 'user' || id !== scope_id);
    await this.notify(event, kind, { userIds, groups: [] }, { subjectId }, null);
  }

  private async notify(
    event: CloudEvent,
    kind: NotificationMailKind,
    audience: Audience,
    terms: Partial<MailTerms>,
    except: string | null = event.actor ?? null,
  ): Promise<void> {
    if (!this.mails.areSentFor(event)) return;
    const readers = [...(await this.readersIn(audience))].filter((userId) => userId !== except);
    const request = (userId: string) => {
      const id = idInPeriod(event.time, NOTIFICATION_PERIOD_MILLIS, kind, userId);
      return this.mails.request(kind, userId, { id, delayMillis: NOTIFICATION_DELAY_MILLIS, ...terms });
    };
    for (let at = 0; at < readers.length; at += REQUESTED_AT_ONCE)
      await Promise.all(readers.slice(at, at + REQUESTED_AT_ONCE).map(request));
  }

  private async readersIn({ userIds, groups }: Audience): Promise<ReadonlySet<string>> {
    const readers = new Set(await this.queries.execute(new MailReaders(userIds)));
    const most = readers.size + MOST_MEMBERS;
    let after: Cursor | null = null;
    for (let isLast = groups.length === 0; !isLast && readers.size < most; isLast = after === null) {
      const page: PageOfReaders = await this.queries.execute(new MailReadersIn(groups, after));
      for (const userId of page.userIds) if (readers.size < most) readers.add(userId);
      after = page.next;
      // Pages of rows are read without waiting.
      if (isTurnOver()) await nextTurn();
    }
    return readers;
  }
}
