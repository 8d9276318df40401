import type { Usage } from '../domain/conversation-events.ts';

/** Usage in public events. */
export const usageOf = (usage: Usage) => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cache_read_tokens: usage.cacheReadTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  estimated: usage.estimated,
  ...(usage.webSearches !== undefined && { web_searches: usage.webSearches }),
  ...(usage.suspicious && { suspicious: true as const }),
});
