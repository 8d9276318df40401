import type { ReadAnswer } from '../../../adapters/calls/passed-answer.ts';
import type { Usage } from '../../../domain/conversation-events.ts';
import type { Price } from '../../../domain/model-prices.ts';

/** No call makes more searches. */
const MOST_SEARCHES = 10_000;
/** The tiers whose prices are those of the catalogue. */
const USUAL_TIERS = new Set(['standard', 'default', 'auto']);
const TIER = /^[a-z][a-z0-9_]{0,31}$/;

type Report = ReadAnswer['report'];

/** The searches of the web that a provider reports with the tokens. Absent if there are none. */
export function webSearchesIn(report: Report): Pick<Usage, 'webSearches'> {
  const used = report?.['server_tool_use'] as { readonly web_search_requests?: unknown } | null | undefined;
  const searches = Number(used?.web_search_requests ?? 0);
  return Number.isSafeInteger(searches) && searches > 0 ? { webSearches: Math.min(searches, MOST_SEARCHES) } : {};
}

/** What a provider bills besides, without a known price. A model without a price is free. */
export function unpricedIn(report: Report, { webSearches = 0 }: Usage, price: Price | null): readonly string[] {
  if (price === null) return [];
  const tier = report?.['service_tier'];
  return [
    ...(webSearches > 0 && price.webSearch === undefined ? ['web_search'] : []),
    ...(typeof tier === 'string' && TIER.test(tier) && !USUAL_TIERS.has(tier) ? [`service_tier_${tier}`] : []),
  ];
}
