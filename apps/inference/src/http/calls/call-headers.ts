import { dollars } from '@parlance/money';
import type { OpenCall } from '../../workflows/calls/gateway-calls.ts';
import { BUDGET_WARNING_HEADER } from '../replies/reply-answers.ts';

export const COST_HEADER = 'x-parlance-cost';
/** Digits after the point of an amount in dollars. */
const DIGITS = 9;

/** The headers of each answer of a call. */
export function callHeaders(callId: string, { model, admitted, warning }: OpenCall): Record<string, string> {
  const { requests = null, tokens = null, resetMillis = 0 } = admitted.remaining ?? {};
  const reset = `${Math.ceil(resetMillis / 1_000)}s`;
  const limits = (name: string, of: { readonly limit: number; readonly remaining: number } | null) =>
    of === null
      ? {}
      : {
          [`x-ratelimit-limit-${name}`]: String(of.limit),
          [`x-ratelimit-remaining-${name}`]: String(of.remaining),
          [`x-ratelimit-reset-${name}`]: reset,
        };
  return {
    'x-parlance-model': model.entry.id,
    'x-parlance-call': callId,
    ...limits('requests', requests),
    ...limits('tokens', tokens),
    ...(warning !== null && { [BUDGET_WARNING_HEADER]: warning }),
  };
}

/** An amount in dollars, never in the notation of exponents. */
export const costText = (nanoDollars: number): string =>
  dollars(nanoDollars)
    .toFixed(DIGITS)
    .replace(/\.?0+$/, '');
