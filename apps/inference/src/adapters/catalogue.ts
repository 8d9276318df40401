import { Injectable } from '@nestjs/common';
import { type Instant, Instant as Instants, refuse } from '@parlance/decider';
import { Config, type ModelCatalogue } from '@parlance/config';
import { costOf, nanoPerMillion } from '@parlance/money';
import type { Usage } from '../domain/conversation-events.ts';
import { type ChatModel, LocalExtractive } from '@parlance/chat-models';

/** Nano-dollars per million tokens, from a moment on. */
interface Price {
  readonly from: Instant;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface CatalogueModel {
  readonly id: string;
  readonly chat: ChatModel;
  readonly prices: readonly Price[];
}

const OFFLINE_MODEL = 'local-extractive';

/** The available models and the prices of their tokens. */
@Injectable()
export class Catalogue {
  private readonly models: ReadonlyMap<string, CatalogueModel>;
  private readonly defaultId: string;

  constructor({ models: configured, globalAvailableModels: available }: Config) {
    const entries = new Map<string, CatalogueModel>();
    // Models of providers that cannot be asked yet are left out, because their replies would fail.
    if (configured === null || configured.extends === 'builtin')
      entries.set(OFFLINE_MODEL, { id: OFFLINE_MODEL, chat: new LocalExtractive(), prices: [] });
    for (const { id, provider, prices } of configured?.models ?? []) {
      const type = configured?.providers[provider]?.type ?? provider;
      if (type === 'local')
        entries.set(id, { id, chat: new LocalExtractive(), prices: prices.map(priceOf).toSorted((a, b) => a.from - b.from) });
    }
    this.models = new Map([...entries].filter(([id]) => available.length === 0 || available.includes(id)));
    this.defaultId = configured?.defaults.chat ?? OFFLINE_MODEL;
  }

  /** Throws a `Refusal` for a model that is not available. */
  model(id: string | undefined): CatalogueModel {
    const model = this.models.get(id ?? this.defaultId);
    if (!model) {
      const offered = [...this.models.keys()].join(', ') || 'none';
      throw refuse('invalid', 'model_not_available', `The model ${id ?? this.defaultId} is not available; available: ${offered}.`);
    }
    return model;
  }

  /** What a use of a model costs, in nano-dollars, at the price of that moment. A model without a price is free. */
  cost(id: string, usage: Usage, at: Instant): number {
    const price = this.models.get(id)?.prices.findLast((each) => each.from <= at);
    if (!price) return 0;
    const uncached = usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens;
    return (
      costOf(uncached, price.input) +
      costOf(usage.outputTokens, price.output) +
      costOf(usage.cacheReadTokens, price.cacheRead) +
      costOf(usage.cacheWriteTokens, price.cacheWrite)
    );
  }
}

type ConfiguredPrice = ModelCatalogue['models'][number]['prices'][number];

const priceOf = (price: ConfiguredPrice): Price => ({
  from: Instants.parse(price.from),
  input: nanoPerMillion(price.input),
  output: nanoPerMillion(price.output),
  cacheRead: nanoPerMillion(price.cache_read ?? price.input),
  cacheWrite: nanoPerMillion(price.cache_write ?? price.input),
});
