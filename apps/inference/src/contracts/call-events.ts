import type { CallCompleted } from '@parlance/contracts';
import type { CallRecordEvent } from '../domain/calls/call-record.ts';
import { usageOf } from './usage.ts';

export const callFields = (event: Extract<CallRecordEvent, { type: 'CallCompleted' }>): CallCompleted => ({
  call_id: event.callId,
  token_id: event.tokenId,
  user_id: event.userId,
  bot_id: null,
  endpoint: event.endpoint,
  model: event.model,
  ...(event.route !== undefined && { route: event.route }),
  ...(event.tries !== undefined && { tries: event.tries }),
  status: event.status,
  cost_centre: event.costCentre ?? null,
  tags: { ...event.tags },
  ...(event.budgets && { budgets: [...event.budgets] }),
  usage: usageOf(event.usage),
  cost_nano_dollars: event.costNanoDollars,
  ...(event.unpriced && { unpriced: [...event.unpriced] }),
});
