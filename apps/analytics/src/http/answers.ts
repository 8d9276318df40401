import { dollars } from '@parlance/money';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { AsOf } from '../projections/as-of.ts';
import { AuditEntryRow } from '../projections/audit-log.ts';
import { bothCosts, correctedByModel, costByModel, figures, money, total_cost } from './figure-fields.ts';
import { splits } from './costs/split-answers.ts';

const { as_corrected } = bothCosts;
const daily = z
  .array(z.object({ date: z.iso.date(), cost: money.describe('As billed.'), as_corrected, input_tokens: z.int(), output_tokens: z.int() }))
  .describe('Days with usage, of the last 13 months.');
const asOf = AsOf.nullable().describe('Newest event included in the answer; null before the first event.');

export const UserCost = z.object({ user_id: z.string(), email: z.string().nullable(), ...figures, conversation_count: z.int() });
export type UserCost = z.infer<typeof UserCost>;

export const BotCost = z.object({
  bot_id: z.string(),
  title: z.string().nullable().describe('Title of the bot, or its last title if it was deleted. Null once its owner is erased.'),
  owner_user_id: z.string().nullable(),
  ...figures,
  user_count: z.int(),
});
export type BotCost = z.infer<typeof BotCost>;

export const KeyCost = z.object({
  api_key_id: z.string(),
  description: z.string().nullable().describe('Null for a revoked key, and while the descriptions cannot be read.'),
  bot_id: z.string().nullable().describe('The published bot.'),
  bot_title: z.string().nullable().describe('Its title; null once its owner is erased.'),
  ...figures,
});
export type KeyCost = z.infer<typeof KeyCost>;

const before = z
  .object(bothCosts)
  .nullable()
  .optional()
  .describe('Cost in the period directly before, with `compare`. Null if the days of that period are no longer kept.');

export const CostSummaryAnswer = z.object({
  as_of: asOf,
  period: z.string().describe('YYYY-MM, or the first and the last hour in UTC: 2026-11-01T00/2026-11-02T23.'),
  currency: z.literal('USD'),
  total_cost,
  ...bothCosts,
  total_input_tokens: z.int(),
  total_output_tokens: z.int(),
  projected_total_cost: money.nullable().describe('Projected cost of the current month at its present rate; null for other windows.'),
  by_model: costByModel,
  by_model_as_corrected: correctedByModel,
  daily,
  top_users: z.array(UserCost.extend({ before })),
  top_bots: z.array(BotCost.extend({ before })),
  by_key: z.array(KeyCost.extend({ before })).describe('The API keys of published bots with the highest cost.'),
  total_cost_by_keys: money.describe('Cost of requests with API keys. The rest of total_cost is from users.'),
  total_as_corrected_by_keys: money.describe('The same, as corrected.'),
  ...splits,
});
export type CostSummaryAnswer = z.infer<typeof CostSummaryAnswer>;

const period = z.object({ period: z.string().describe('YYYY-MM'), ...figures });
const inSeveral = ' Null for a period of several months: the monthly numbers cannot be added up, because';

export const UserCostsAnswer = UserCost.extend({
  as_of: asOf,
  currency: z.literal('USD'),
  conversation_count: z
    .int()
    .nullable()
    .describe(`Conversations in which the user was charged.${inSeveral} one conversation may be charged in several months.`),
  periods: z.array(period.extend({ conversation_count: z.int() })).describe('Months with usage.'),
});
export type UserCostsAnswer = z.infer<typeof UserCostsAnswer>;

export const BotCostsAnswer = BotCost.extend({
  as_of: asOf,
  currency: z.literal('USD'),
  user_count: z.int().nullable().describe(`Users who were charged.${inSeveral} one user may be charged in several months.`),
  periods: z.array(period.extend({ user_count: z.int() })).describe('Months with usage.'),
});
export type BotCostsAnswer = z.infer<typeof BotCostsAnswer>;

export const OwnUsageAnswer = z.object({
  as_of: asOf,
  period: z.string().describe('YYYY-MM, or the first and the last hour in UTC: 2026-11-01T00/2026-11-02T23.'),
  currency: z.literal('USD'),
  total_cost,
  ...bothCosts,
  input_tokens: z.int(),
  output_tokens: z.int(),
  by_model: costByModel,
  by_bot: z.record(z.string(), money).describe('Cost by bot ID, without conversations that have no bot.'),
  by_key: z.record(z.string(), money).describe("Cost by API key ID, for the user's own published bots. It is included in the cost by bot."),
  daily,
  budget: z
    .object({ limit: money, spent: money, resets_at: z.int().describe('Start of the next period in epoch seconds.') })
    .nullable()
    .describe("The user's budget with the least left; null if the user has no budget."),
});
export type OwnUsageAnswer = z.infer<typeof OwnUsageAnswer>;

export const inDollars = (nanoDollars: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(nanoDollars).map(([name, nano]) => [name, dollars(nano)]));

const AuditEntry = AuditEntryRow.extend({
  user_name: z
    .string()
    .nullable()
    .describe(
      'Name of the acting user, or their e-mail address. Null for other actors, for erased users, and while identity is unavailable.',
    ),
  resource_name: z
    .string()
    .nullable()
    .describe(
      'Name of the user, title of the bot, or name of the group, model, service or export that the action concerns. Null for other resources, for users and bots that were erased, and while their service is unavailable.',
    ),
});
nameSchemas({ AuditEntry });

export const AuditLogAnswer = z.object({ as_of: asOf, audit_logs: z.array(AuditEntry), next_token: z.string().nullable() });
export type AuditLogAnswer = z.infer<typeof AuditLogAnswer>;

export const AuditVerdictAnswer = z.object({
  valid: z.boolean(),
  checked: z.int().describe('Number of entries checked.'),
  head: z.object({ id: z.string(), hash: z.string() }).nullable().describe('Newest entry; null before the first entry.'),
  first_broken: z.string().nullable().describe('ID of the first altered entry; null if there is none.'),
});
export type AuditVerdictAnswer = z.infer<typeof AuditVerdictAnswer>;

nameSchemas({
  OwnUsage: OwnUsageAnswer,
  CostSummary: CostSummaryAnswer,
  UserCost,
  BotCost,
  UserCosts: UserCostsAnswer,
  BotCosts: BotCostsAnswer,
});
nameSchemas({ AuditLogPage: AuditLogAnswer, AuditVerdict: AuditVerdictAnswer });
