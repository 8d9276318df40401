import { z } from 'zod';
import { AsOf } from '../projections/as-of.ts';
import { AuditEntryRow } from '../projections/audit-log.ts';

const money = z.number().describe('Cost in US dollars, with at most 9 decimals.');
const costByModel = z.record(z.string(), money).describe('Cost by model.');
const figures = { total_cost: money, input_tokens: z.int(), output_tokens: z.int(), by_model: costByModel };
const asOf = AsOf.nullable().describe('Newest event included in the answer; null before the first event.');

export const CostSummaryAnswer = z.object({
  as_of: asOf,
  period: z.string().describe('YYYY-MM'),
  currency: z.literal('USD'),
  total_cost: money,
  total_input_tokens: z.int(),
  total_output_tokens: z.int(),
  by_model: costByModel,
  top_users: z.array(z.object({ user_id: z.string(), email: z.string().nullable(), ...figures, conversation_count: z.int() })),
  top_bots: z.array(
    z.object({
      bot_id: z.string(),
      title: z.string().nullable(),
      owner_user_id: z.string().nullable(),
      ...figures,
      user_count: z.int(),
    }),
  ),
});
export type CostSummaryAnswer = z.infer<typeof CostSummaryAnswer>;

export const AuditLogAnswer = z.object({ as_of: asOf, audit_logs: z.array(AuditEntryRow), next_token: z.string().nullable() });
export type AuditLogAnswer = z.infer<typeof AuditLogAnswer>;

export const AuditVerdictAnswer = z.object({
  valid: z.boolean(),
  checked: z.int().describe('Number of entries checked.'),
  head: z.object({ id: z.string(), hash: z.string() }).nullable().describe('Newest entry; null before the first entry.'),
  first_broken: z.string().nullable().describe('ID of the first altered entry; null if there is none.'),
});
export type AuditVerdictAnswer = z.infer<typeof AuditVerdictAnswer>;
