import { z } from 'zod';
import { actionOn } from './audit-action.ts';
import { type DataOf, id, nanoDollars, publicEvent } from './public-event.ts';

const onWebhook = actionOn('webhook');
const onBudget = actionOn('budget');

const budget = { budget_id: id.describe('ID of the budget.') };
const terms = {
  ...budget,
  scope: z.enum(['all', 'user', 'group', 'bot', 'key']).describe('What the budget limits.'),
  scope_id: id.nullable().describe('ID of the user, bot or API key, or name of the group; null for `all`.'),
  period: z.enum(['DAY', 'WEEK', 'MONTH']).describe('Period of the budget, in UTC. A week starts on Monday.'),
  mode: z.enum(['soft', 'hard']).describe('`soft` warns when the budget is reached, `hard` refuses messages.'),
  limit_nano_dollars: nanoDollars('Limit of the spending in a period.'),
};

export const BudgetSet = publicEvent(
  'parlance.analytics.budget-set.v1',
  'Published when an administrator makes or replaces a budget.',
  z.strictObject(terms),
  ({ budget_id, ...details }) => onBudget('set_budget', budget_id, details),
);
export type BudgetSet = DataOf<typeof BudgetSet>;

/** A budget of calls of models. Its scopes are in a type of their own, because a released enumeration gains no values. */
const termsOfCalls = {
  ...terms,
  scope: z.enum(['token', 'cost_centre']).describe('What the budget limits: calls of models with a token, or of a cost centre.'),
  scope_id: id.describe('ID of the personal access token, or name of the cost centre.'),
};

export const CallBudgetSet = publicEvent(
  'parlance.analytics.budget-set.v2',
  'Published when an administrator makes or replaces a budget of a personal access token or a cost centre. Other budgets have version 1.',
  z.strictObject(termsOfCalls),
  ({ budget_id, ...details }) => onBudget('set_budget', budget_id, details),
);
export type CallBudgetSet = DataOf<typeof CallBudgetSet>;

export const BudgetRemoved = publicEvent(
  'parlance.analytics.budget-removed.v1',
  'Published when an administrator removes a budget.',
  z.strictObject(budget),
  ({ budget_id }) => onBudget('remove_budget', budget_id),
);
export type BudgetRemoved = DataOf<typeof BudgetRemoved>;

export const DeadLettersRedriveRequested = publicEvent(
  'parlance.analytics.dead-letters-redrive-requested.v1',
  'Published when an administrator requests that dead letters are delivered again.',
  z.strictObject({
    redrive_id: id.describe('ID of the request.'),
    dead_letter_service: id.describe('Name of the service that could not handle the events.'),
    dead_letter_ids: z.array(z.string()).nullable().describe('IDs of the dead letters; null for all dead letters of the service.'),
  }),
  ({ dead_letter_service, dead_letter_ids }) => actionOn('service')('redrive_dead_letters', dead_letter_service, { dead_letter_ids }),
);
export type DeadLettersRedriveRequested = DataOf<typeof DeadLettersRedriveRequested>;

export const ConfigurationChanged = publicEvent(
  'parlance.analytics.configuration-changed.v1',
  'Published when analytics starts with another configuration than at its last start. The event does not contain the values.',
  z.strictObject({ keys: z.array(z.string()).describe('The changed keys.') }),
  ({ keys }) => actionOn('configuration')('change_configuration', '', { keys }),
);
export type ConfigurationChanged = DataOf<typeof ConfigurationChanged>;

const spending = {
  period_start: z.string().describe('First day of the period, YYYY-MM-DD.'),
  spent_nano_dollars: nanoDollars('Spent in the period until then.'),
};

export const BudgetReached = publicEvent(
  'parlance.analytics.budget-reached.v1',
  'Published when the rest of a budget is not enough for the next message. Once in a period, and again after the budget is replaced.',
  z.strictObject({ ...terms, ...spending }),
  // The messages of many users have spent the budget together. They are informed in the answers to their messages.
  null,
);
export type BudgetReached = DataOf<typeof BudgetReached>;

export const BudgetNearlyReached = publicEvent(
  'parlance.analytics.budget-nearly-reached.v1',
  'Published when 80 % of a budget is spent, and not all of it. Once in a period, and again after the budget is replaced.',
  z.strictObject({ ...terms, ...spending }),
  null,
);
export type BudgetNearlyReached = DataOf<typeof BudgetNearlyReached>;

export const CallBudgetReached = publicEvent(
  'parlance.analytics.budget-reached.v2',
  'Published when the rest of a budget of a personal access token or a cost centre is not enough for the next call. Other budgets have version 1.',
  z.strictObject({ ...termsOfCalls, ...spending }),
  null,
);
export type CallBudgetReached = DataOf<typeof CallBudgetReached>;

export const CallBudgetNearlyReached = publicEvent(
  'parlance.analytics.budget-nearly-reached.v2',
  'Published when 80 % of a budget of a personal access token or a cost centre is spent, and not all of it. Other budgets have version 1.',
  z.strictObject({ ...termsOfCalls, ...spending }),
  null,
);
export type CallBudgetNearlyReached = DataOf<typeof CallBudgetNearlyReached>;

export const ExportWritten = publicEvent(
  'parlance.analytics.export-written.v1',
  'Published when the conversations of an hour or a day are exported. Again when the file was written again, because of late events or an erasure.',
  z.strictObject({
    period: z.string().describe('The hour as YYYYMMDDHH or the day as YYYYMMDD, in UTC.'),
    key: z.string().describe('Key of the Parquet file in the object store. A file that is written again keeps its key.'),
    rows: z.int().nonnegative().describe('Rows of the file.'),
    bytes: z.int().nonnegative().describe('Size of the file.'),
  }),
  // The product itself writes exports. Each read of an export has an audit entry.
  null,
);
export type ExportWritten = DataOf<typeof ExportWritten>;

export const ExportExpired = publicEvent(
  'parlance.analytics.export-expired.v1',
  'Published when the file of an exported hour or day is removed by a retention rule. Delete your own copies of the file yourself.',
  z.strictObject({
    period: z.string().describe('The hour as YYYYMMDDHH or the day as YYYYMMDD, in UTC.'),
    rule_id: id.describe('ID of the retention rule.'),
  }),
  ({ period, ...by }) => actionOn('export')('expire_export', period, by),
);
export type ExportExpired = DataOf<typeof ExportExpired>;

const webhook = { webhook_id: id.describe('ID of the webhook.') };

export const WebhookCreated = publicEvent(
  'parlance.analytics.webhook-created.v1',
  'Published when an administrator creates a webhook. No event contains its address or its secret.',
  z.strictObject({
    ...webhook,
    event_types: z.array(z.string()).describe('Types of events that are sent to it; empty for all.'),
    enabled: z.boolean().describe('Whether events are sent to it.'),
  }),
  ({ webhook_id, ...details }) => onWebhook('create_webhook', webhook_id, details),
);
export type WebhookCreated = DataOf<typeof WebhookCreated>;

export const WebhookChanged = publicEvent(
  'parlance.analytics.webhook-changed.v1',
  'Published when an administrator changes a webhook.',
  z.strictObject({
    ...webhook,
    changed: z.array(z.enum(['url', 'event_types', 'description', 'enabled'])).describe('The changed fields.'),
  }),
  ({ webhook_id, changed }) => onWebhook('change_webhook', webhook_id, { changed }),
);
export type WebhookChanged = DataOf<typeof WebhookChanged>;

export const WebhookSecretRotated = publicEvent(
  'parlance.analytics.webhook-secret-rotated.v1',
  'Published when an administrator replaces the secret of a webhook.',
  z.strictObject({ ...webhook, previous_until: z.iso.datetime().describe('Until then, requests are signed with the earlier secret too.') }),
  ({ webhook_id, ...validity }) => onWebhook('rotate_webhook_secret', webhook_id, validity),
);
export type WebhookSecretRotated = DataOf<typeof WebhookSecretRotated>;

export const WebhookDisabled = publicEvent(
  'parlance.analytics.webhook-disabled.v1',
  'Published when a webhook is disabled because its endpoint answered 410.',
  z.strictObject(webhook),
  ({ webhook_id }) => onWebhook('disable_webhook', webhook_id, { because: 'gone' }),
);
export type WebhookDisabled = DataOf<typeof WebhookDisabled>;

export const WebhookReplayRequested = publicEvent(
  'parlance.analytics.webhook-replay-requested.v1',
  'Published when an administrator requests that events are sent again.',
  z.strictObject({ ...webhook, from: z.iso.datetime().describe('Events since this time are sent again.') }),
  ({ webhook_id, from }) => onWebhook('replay_webhook', webhook_id, { from }),
);
export type WebhookReplayRequested = DataOf<typeof WebhookReplayRequested>;

export const WebhookDeliveryRetried = publicEvent(
  'parlance.analytics.webhook-delivery-retried.v1',
  'Published when an administrator requests that one event is sent again.',
  z.strictObject({ ...webhook, event_id: id.describe('ID of the event.') }),
  ({ webhook_id, event_id }) => onWebhook('retry_webhook_delivery', webhook_id, { event_id }),
);
export type WebhookDeliveryRetried = DataOf<typeof WebhookDeliveryRetried>;

export const WebhookRemoved = publicEvent(
  'parlance.analytics.webhook-removed.v1',
  'Published when an administrator removes a webhook.',
  z.strictObject(webhook),
  ({ webhook_id }) => onWebhook('remove_webhook', webhook_id),
);
export type WebhookRemoved = DataOf<typeof WebhookRemoved>;
