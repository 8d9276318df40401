import { dollars } from '@parlance/money';
import type { Remaining } from '../../workflows/calls/call-limits.ts';
import type { OpenCall } from '../../workflows/calls/open-call.ts';
import { BUDGET_WARNING_HEADER } from '../replies/reply-answers.ts';

export const COST_HEADER = 'x-parlance-cost';
export const MODEL_HEADER = 'x-parlance-model';
/** Digits after the point of an amount in dollars. */
const DIGITS = 9;

/** The headers of each answer of a call. */
export const callHeaders = ({ callId, model, admitted, warning }: OpenCall): Record<string, string> => ({
  [MODEL_HEADER]: model.entry.id,
  'x-parlance-call': callId,
  ...limitHeaders(admitted.remaining),
  ...(warning !== null && { [BUDGET_WARNING_HEADER]: warning }),
});

/** The headers with the limits of the token. Null: it has none. */
export function limitHeaders(remaining: Remaining | null): Record<string, string> {
  const { requests = null, tokens = null, resetMillis = 0 } = remaining ?? {};
  const reset = `${Math.ceil(resetMillis / 1_000)}s`;
  const limits = (name: string, of: { readonly limit: number; readonly remaining: number } | null) =>
    of === null
      ? {}
      : {
          [`x-ratelimit-limit-${name}`]: String(of.limit),
          [`x-ratelimit-remaining-${name}`]: String(of.remaining),
          [`x-ratelimit-reset-${name}`]: reset,
        };
  return { ...limits('requests', requests), ...limits('tokens', tokens) };
}

/** An amount in dollars, never in the notation of exponents. */
export const costText = (nanoDollars: number): string =>
  dollars(nanoDollars)
    .toFixed(DIGITS)
    .replace(/\.?0+$/, '');
