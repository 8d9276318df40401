import { Instant } from '@parlance/decider';
import { PERIODS } from '@parlance/limits';
import { dollars } from '@parlance/money';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { SCOPES } from '../../domain/budget.ts';
import { NOTIFICATION_KINDS } from '../../projections/notifications/notifications.ts';
import type { NamedNotification, NotificationList as FoundNotifications } from '../../workflows/notifications/notification-list.ts';
import { idOf } from '../../workflows/notifications/notification-stream.ts';

const titled = (what: string) => z.object({ id: z.string(), title: z.string() }).nullable().describe(`The ${what}; null for other kinds.`);
const money = z.number().describe('US dollars, with at most 9 decimals.');

export const Notification = z.object({
  id: z.string(),
  kind: z
    .enum(NOTIFICATION_KINDS)
    .describe(
      'What happened: a bot, a prompt or a project was shared with the user or a group of the user, a reply waits for an approval, an own export is ready, a budget is nearly or fully spent.',
    ),
  create_time: z.int().describe('In epoch seconds.'),
  unread: z.boolean(),
  bot: titled('bot'),
  prompt: titled('prompt'),
  project: titled('project'),
  approval: z
    .object({
      conversation_id: z.string(),
      message_id: z.string(),
      title: z.string().describe('The title of the conversation.'),
      expires_at: z.int().describe('When the reply goes on without the calls, in epoch seconds.'),
    })
    .nullable()
    .describe('The reply that waits; null for other kinds.'),
  export: z
    .object({ id: z.string(), expires_at: z.int().describe('When the file is removed, in epoch seconds.') })
    .nullable()
    .describe('The export; null for other kinds.'),
  budget: z
    .object({
      id: z.string(),
      scope: z.enum(SCOPES).describe('What the budget limits.'),
      scope_id: z
        .string()
        .nullable()
        .describe('ID of the user, bot, API key or token, or name of the group or cost centre; null for `all`.'),
      name: z
        .string()
        .nullable()
        .describe("Name of what it limits; null for `all`, for the user's own budget, and if the name cannot be read."),
      period: z.enum(PERIODS),
      percent: z.int().describe('80, or 100 if the rest is not enough for another message.'),
      limit: money,
      spent: money,
    })
    .nullable()
    .describe('The budget; null for other kinds. Administrators are notified about all budgets.'),
});
export type Notification = z.infer<typeof Notification>;

export const NotificationList = z.object({
  notifications: z.array(Notification).describe('Newest first.'),
  unread: z.int().describe('The number of all unread notifications.'),
  position: z.string().describe('The position after the newest notification, for `up_to` and `Last-Event-ID`.'),
});
export type NotificationList = z.infer<typeof NotificationList>;

nameSchemas({ Notification, NotificationList });

export function notificationAnswer(found: NamedNotification): Notification {
  const { id, kind, at, isUnread: unread, subjectId, name, budget, conversationId, expiresAt } = found;
  const expires_at = expiresAt === undefined ? 0 : Instant.toSeconds(Instant.parse(expiresAt));
  const thing = name === null ? null : { id: subjectId, title: name };
  return {
    id,
    kind,
    create_time: Instant.toSeconds(Instant.parse(at)),
    unread,
    bot: kind === 'bot_shared' ? thing : null,
    prompt: kind === 'prompt_shared' ? thing : null,
    project: kind === 'project_shared' ? thing : null,
    approval:
      kind === 'approval_wanted' && conversationId !== undefined && name !== null
        ? { conversation_id: conversationId, message_id: subjectId, title: name, expires_at }
        : null,
    export: kind === 'export_ready' ? { id: subjectId, expires_at } : null,
    budget: budget
      ? {
          id: subjectId,
          scope: budget.scope,
          scope_id: budget.scope_id,
          name,
          period: budget.period,
          percent: budget.percent,
          limit: dollars(budget.limit_nano_dollars),
          spent: dollars(budget.spent_nano_dollars),
        }
      : null,
  };
}

export const notificationListAnswer = ({ all, positions }: FoundNotifications, limit: number): NotificationList => ({
  notifications: all.slice(0, limit).map(notificationAnswer),
  unread: all.filter(({ isUnread }) => isUnread).length,
  position: idOf(positions),
});
