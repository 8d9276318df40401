import type { Commit } from '@parlance/event-store';
import { Instant } from '@parlance/decider';
import { costAt } from '../../adapters/pricing/model-prices.ts';
import type { Usage } from '../../domain/conversation-events.ts';
import type { Correction, ModelSums, Restated, RestatementTerms, Restatements, SumsByModel } from '../../domain/restatement/restatement.ts';
import { botOf, type Charged, placeOfCall } from '../../projections/restatement/suspicious-charges.ts';

const NO_SUMS: ModelSums = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  asBilled: 0,
  before: 0,
  asCorrected: 0,
};

/** Sums the charges in a part of the log at the prices of a restatement, by hour, payer, bot, API key and model. */
export class RestatedCharges {
  private readonly byModel = new Map<string, ModelSums>();
  private readonly differences = new Map<string, Correction>();

  constructor(
    private readonly terms: RestatementTerms,
    private readonly restated: Restatements['restated'],
    private readonly corrected: Readonly<Record<string, number>> = {},
  ) {}

  /** The number of hourly sums. Each becomes a correction. */
  get size(): number {
    return this.differences.size;
  }

  add({ events, position, metadata: { at } }: Commit): void {
    if (at < this.terms.from || position > this.terms.until) return;
    for (const { id, event } of events) if (isCharge(event as Charged)) this.addCharge(event as Charged, id, at, position);
  }

  sums(): SumsByModel {
    return Object.fromEntries(this.byModel);
  }

  /** Corrections that are not zero, by hour. */
  corrections(): readonly Correction[] {
    const all = [...this.differences].filter(([, { nanoDollars }]) => nanoDollars !== 0);
    return all.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, correction]) => correction);
  }

  private addCharge(charge: Charged, id: string, at: Instant, position: number): void {
    const { model, usage, costNanoDollars: asBilled } = charge;
    const prices = own(this.terms.prices, model);
    if (!prices) return;
    const earlier = own(this.restated, model) ?? [];
    const use = { usage, at, position, asBilled };
    // The cost that an administrator has stated for this charge is not calculated again.
    const stated = own(this.corrected, id);
    const before = stated ?? correctedCost(earlier, use);
    const asCorrected = stated ?? correctedCost([...earlier, { from: this.terms.from, until: this.terms.until, prices }], use);
    const sums = this.byModel.get(model) ?? NO_SUMS;
    this.byModel.set(model, {
      calls: sums.calls + 1,
      inputTokens: sums.inputTokens + usage.inputTokens,
      outputTokens: sums.outputTokens + usage.outputTokens,
      cacheReadTokens: sums.cacheReadTokens + usage.cacheReadTokens,
      cacheWriteTokens: sums.cacheWriteTokens + usage.cacheWriteTokens,
      asBilled: sums.asBilled + asBilled,
      before: sums.before + before,
      asCorrected: sums.asCorrected + asCorrected,
    });
    if (asCorrected !== before) this.correct(charge, at, asCorrected - before);
  }

  private correct(charge: Charged, at: Instant, difference: number): void {
    const { userId, model } = charge;
    const botId = botOf(charge);
    const api = 'api' in charge ? charge.api : undefined;
    const hour = Instant.toString(at).slice(0, 13);
    const place = { hour, userId, botId, ...(api && { api: { apiId: api.apiId, keyId: api.keyId } }), ...placeOfCall(charge), model };
    const key = JSON.stringify(place);
    const known = this.differences.get(key)?.nanoDollars ?? 0;
    this.differences.set(key, { ...place, nanoDollars: known + difference });
  }
}

/** Administrators choose the names of models, so a name may also be a property of `Object.prototype`. */
const own = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** Guardrails and rerankers are charged in units, which have their own prices. */
function isCharge(event: Charged): boolean {
  switch (event.type) {
    case 'ReplyCompleted':
    case 'ModelChecked':
    case 'CallCompleted':
      return true;
    case 'KnowledgeCharged':
    case 'TokensCharged':
      return event.units === undefined;
    default:
      return false;
  }
}

interface Use {
  readonly usage: Usage;
  readonly at: Instant;
  readonly position: number;
  readonly asBilled: number;
}

/** The cost at the prices of the last restatement that covers this use. Without a price at that time, the earlier cost applies. */
export function correctedCost(restated: readonly Restated[], { usage, at, position, asBilled }: Use): number {
  for (const { from, until, prices } of restated.toReversed()) {
    if (at < from || position > until) continue;
    const price = prices.findLast((each) => each.from <= at);
    if (price) return costAt(price, usage);
  }
  return asBilled;
}
