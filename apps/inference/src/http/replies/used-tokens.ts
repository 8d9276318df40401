import { z } from 'zod';
import type { MessageRow } from '../../projections/messages/message-rows.ts';
import { usageSum } from '../../projections/messages/tool-calls.ts';

export const UsedTokens = z.object({
  input_tokens: z.int().describe('All tokens of the input, including cached ones.'),
  output_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  estimated: z.boolean().describe('Whether Parlance counted the tokens because the provider reported none.'),
});
export type UsedTokens = z.infer<typeof UsedTokens>;

/** The tokens of all model calls of a reply. Null if unknown. */
export function usageOf({ usage: last, tools }: MessageRow): UsedTokens | null {
  if (!last) return null;
  const usage = tools ? usageSum(tools.usage, last) : last;
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    estimated: usage.estimated,
  };
}
