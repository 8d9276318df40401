import type { IncomingHttpHeaders } from 'node:http';

/** The longest time for which an exhausted limit is believed. */
const LONGEST_MILLIS = 3_600_000;
/** Larger numbers are epoch seconds. */
const FIRST_EPOCH_SECONDS = 1_000_000_000;
const KINDS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /(\d+(?:\.\d+)?)(ms|[smhd])/g;
const WHOLE_DURATION = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;

/** Milliseconds until a limit of the provider starts again of which its answer says that nothing is left. 0 if there is no such limit. */
export function exhaustedMillis(headers: IncomingHttpHeaders, now: number): number {
  const waits = KINDS.flatMap((kind) => [
    [headers[`x-ratelimit-remaining-${kind}`], headers[`x-ratelimit-reset-${kind}`]] as const,
    [headers[`anthropic-ratelimit-${kind}-remaining`], headers[`anthropic-ratelimit-${kind}-reset`]] as const,
  ]).map(([remaining, reset]) => (isNothing(remaining) && typeof reset === 'string' ? millisIn(reset.trim(), now) : 0));
  return Math.min(Math.max(0, ...waits), LONGEST_MILLIS);
}

const isNothing = (remaining: unknown): boolean => typeof remaining === 'string' && /^-?\d+$/.test(remaining) && Number(remaining) <= 0;

/** OpenAI sends durations such as 6m0s, Anthropic times, and other servers seconds. 0 for other texts. */
function millisIn(reset: string, now: number): number {
  if (reset.length > 64) return 0;
  if (/^\d+(\.\d+)?$/.test(reset)) return Number(reset) < FIRST_EPOCH_SECONDS ? Number(reset) * 1_000 : Number(reset) * 1_000 - now;
  if (WHOLE_DURATION.test(reset))
    return [...reset.matchAll(DURATION)].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
  const at = /^\d{4}-/.test(reset) ? Date.parse(reset) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
