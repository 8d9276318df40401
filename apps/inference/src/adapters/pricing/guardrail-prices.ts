import { Injectable } from '@nestjs/common';
import type { ChargedPolicy, GuardrailUnits } from '@parlance/chat-models';
import { Config, type GuardrailPrice, wholeCatalogue } from '@parlance/config';
import { type Instant, Instant as Instants } from '@parlance/decider';
import { costOf, nanoDollars } from '@parlance/money';

/** The name of guardrails in charges, instead of a model. */
export const GUARDRAIL_MODEL = 'amazon-bedrock-guardrails';

/** Prices are per 1,000 units. */
const PER_MILLION = 1_000;
const POLICIES: readonly ChargedPolicy[] = ['content', 'topic', 'sensitive_information', 'contextual_grounding', 'automated_reasoning'];

export interface GuardrailCost {
  /** Text units of all policies together. */
  readonly units: number;
  readonly costNanoDollars: number;
}

/** The cost of the text units of Amazon Bedrock guardrails. */
@Injectable()
export class GuardrailPrices {
  /** The prices in the order in which they apply. */
  private readonly prices: readonly (GuardrailPrice & { readonly at: Instant })[];

  constructor({ models }: Config) {
    const { prices } = wholeCatalogue(models).guardrails;
    this.prices = prices.map((price) => ({ ...price, at: Instants.parse(price.from) })).toSorted((a, b) => a.at - b.at);
  }

  /** The cost at the current price. Free without a price. Each call is rounded separately, because each is charged separately. */
  cost(calls: readonly GuardrailUnits[], at: Instant): GuardrailCost {
    const price = this.prices.findLast((each) => each.at <= at);
    let [units, costNanoDollars] = [0, 0];
    for (const call of calls)
      for (const policy of POLICIES) {
        units += call[policy];
        if (price) costNanoDollars += costOf(call[policy], nanoDollars(price[policy]) * PER_MILLION);
      }
    return { units, costNanoDollars };
  }
}
