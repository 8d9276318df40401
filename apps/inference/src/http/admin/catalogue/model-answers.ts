import { Injectable } from '@nestjs/common';
import type { ModelEntry } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { etagOf } from '@parlance/http';
import { dollars } from '@parlance/money';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { Catalogue } from '../../../adapters/pricing/catalogue.ts';
import { priceAt } from '../../../adapters/pricing/model-prices.ts';
import type { ManagedCatalogue } from '../../../domain/catalogue/managed-catalogue.ts';
import { cacheWriteHourOf, type Price } from '../../../domain/model-prices.ts';
import { origin } from './catalogue-answers.ts';

const amount = z.number().describe('US dollars per million tokens, with at most 9 decimals.');
const PriceAnswer = z.object({
  from: z.string().meta({ format: 'date-time' }).describe('Time from which the price applies.'),
  input: amount,
  output: amount,
  cache_read: amount,
  cache_write: amount,
  cache_write_1h: amount.describe('US dollars per million tokens that the provider keeps for an hour, with at most 9 decimals.'),
  web_search: z
    .number()
    .nullable()
    .describe('US dollars for 1,000 searches of the web by the provider. Null if no price is known: they are not charged.'),
  source: z.enum(['configured', 'set']).describe('`configured`: from the catalogue. `set`: by an administrator.'),
});

export const ModelAnswer = z.object({
  id: z.string(),
  name: z.string().describe('Display name.'),
  provider: z.string().describe('Name of the provider.'),
  model: z.string().describe('Name of the model at the provider.'),
  available: z.boolean().describe('Whether users can choose the model now.'),
  context_window: z.int().describe('Tokens of a prompt and its answer.'),
  max_output_tokens: z.int().nullable().describe('Tokens of an answer. Null for the default of the provider.'),
  capabilities: z.array(z.string()),
  fallbacks: z.array(z.string()).describe('Models that are used if this one fails, in order.'),
  price: PriceAnswer.nullable().describe('The current price. Null for a model without a price, which is free.'),
  prices: z
    .array(PriceAnswer)
    .describe('All prices in the order in which they apply. If two start at the same time, the one that was set is used.'),
  ...origin,
});
export type ModelAnswer = z.infer<typeof ModelAnswer>;

export const ModelsAnswer = z.object({ models: z.array(ModelAnswer), next_token: z.string().nullable() });

nameSchemas({ Model: ModelAnswer, ModelPage: ModelsAnswer });

/** Shows models of the catalogue with their prices. */
@Injectable()
export class ModelAnswers {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
  ) {}

  /** `set`: the prices that were set. */
  of(entry: ModelEntry, set: readonly Price[], { models }: ManagedCatalogue): ModelAnswer {
    const source = this.catalogue.whole.sources.models.get(entry.id)!;
    const { id, name, provider, model, context_window, max_output_tokens, capabilities, fallbacks } = entry;
    const configured = this.catalogue.pricesOf(id);
    const now = priceAt(configured, set, this.clock.now());
    const all = [
      ...configured.map((price) => ({ price, source: 'configured' as const })),
      ...set.map((price) => ({ price, source: 'set' as const })),
    ];
    return {
      id,
      name: name ?? id,
      provider,
      model,
      available: this.catalogue.isAvailable(id),
      context_window,
      max_output_tokens,
      capabilities: [...capabilities],
      fallbacks: [...fallbacks],
      price: now && shown(now, set.includes(now) ? 'set' : 'configured'),
      prices: all.toSorted((a, b) => a.price.from - b.price.from).map(({ price, source: from }) => shown(price, from)),
      source,
      read_only: source !== 'managed',
      etag: source === 'managed' ? etagOf(models[id]!.version) : null,
    };
  }
}

const shown = (price: Price, source: 'configured' | 'set') => ({
  from: Instant.toString(price.from),
  input: dollars(price.input),
  output: dollars(price.output),
  cache_read: dollars(price.cacheRead),
  cache_write: dollars(price.cacheWrite),
  cache_write_1h: dollars(cacheWriteHourOf(price)),
  web_search: price.webSearch === undefined ? null : dollars(price.webSearch),
  source,
});
