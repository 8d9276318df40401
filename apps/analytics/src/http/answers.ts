const text = { type: 'string' } as const;
const maybeText = { type: ['string', 'null'] } as const;
const count = { type: 'integer' } as const;
const money = { type: 'number', description: 'Cost in US dollars, with at most 9 decimals.' } as const;
const byModel = { type: 'object', additionalProperties: money, description: 'Cost by model.' } as const;
const figures = { total_cost: money, input_tokens: count, output_tokens: count, by_model: byModel } as const;

const list = (properties: Readonly<Record<string, object>>) => ({
  type: 'array',
  items: { type: 'object', required: Object.keys(properties), properties },
});

const asOf = {
  type: ['object', 'null'],
  description: 'Newest event included in the answer; null before the first event.',
  required: ['position', 'time'],
  properties: { position: count, time: { type: 'string', format: 'date-time' } },
} as const;

export const costSummaryAnswer = {
  type: 'object',
  required: ['as_of', 'period', 'currency', 'total_cost', 'total_input_tokens', 'total_output_tokens', 'by_model', 'top_users', 'top_bots'],
  properties: {
    as_of: asOf,
    period: { type: 'string', description: 'Month as YYYY-MM.' },
    currency: { const: 'USD' },
    total_cost: money,
    total_input_tokens: count,
    total_output_tokens: count,
    by_model: byModel,
    top_users: list({ user_id: text, email: maybeText, ...figures, conversation_count: count }),
    top_bots: list({ bot_id: text, title: maybeText, owner_user_id: maybeText, ...figures, user_count: count }),
  },
} as const;

export const auditLogAnswer = {
  type: 'object',
  required: ['as_of', 'audit_logs', 'next_token'],
  properties: {
    as_of: asOf,
    audit_logs: list({
      id: text,
      user_id: text,
      action_type: text,
      resource_type: text,
      resource_id: text,
      timestamp: { type: 'integer', description: 'Time in epoch seconds.' },
      details: { type: 'object' },
      ip_address: maybeText,
      user_agent: maybeText,
      success: { type: 'boolean' },
      error_message: maybeText,
    }),
    next_token: maybeText,
  },
} as const;

export const auditVerdictAnswer = {
  type: 'object',
  required: ['valid', 'checked', 'head', 'first_broken'],
  properties: {
    valid: { type: 'boolean' },
    checked: { type: 'integer', description: 'Number of entries checked.' },
    head: {
      type: ['object', 'null'],
      description: 'Newest entry; null before the first entry.',
      required: ['id', 'hash'],
      properties: { id: text, hash: text },
    },
    first_broken: { type: ['string', 'null'], description: 'ID of the first altered entry; null if there is none.' },
  },
} as const;
