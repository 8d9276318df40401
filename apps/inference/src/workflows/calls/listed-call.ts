import { Instant } from '@parlance/decider';
import { dollars } from '@parlance/money';
import type { RecordedCall } from './recorded-calls.ts';

/** A call as lists and exports show it. */
export const listedCall = (call: RecordedCall) => ({
  call_id: call.callId,
  create_time: Instant.toSeconds(call.begunAt),
  user_id: call.userId,
  token_id: call.tokenId,
  endpoint: call.endpoint,
  model: call.model,
  route: call.route ?? null,
  tries: call.tries ?? 1,
  status: call.status,
  http_status: call.httpStatus,
  cached: call.isCached === true,
  cost: dollars(call.costNanoDollars),
  input_tokens: call.usage.inputTokens,
  output_tokens: call.usage.outputTokens,
  cache_read_tokens: call.usage.cacheReadTokens,
  cache_write_tokens: call.usage.cacheWriteTokens,
  estimated: call.usage.estimated,
  web_searches: call.usage.webSearches ?? 0,
  unpriced: [...(call.unpriced ?? [])],
  cost_centre: call.costCentre ?? null,
  tags: { ...call.tags },
  policies: (call.policies ?? []).map(({ found, ...policy }) => ({
    ...policy,
    found: Object.entries(found).map(([detector, count]) => ({ detector, count })),
  })),
  first_byte_ms: call.firstByteMillis,
  duration_ms: call.millis,
});
