import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Instant, Refusal } from '@parlance/decider';
import { Config, type ModelEntry, type ModelRoute, type ProviderType, type WholeCatalogue, wholeCatalogue } from '@parlance/config';
import {
  type ChatModel,
  LocalExtractive,
  ModelRouter,
  type ModelWindow,
  type Prompt,
  type Routed,
  type RoutedModel,
} from '@parlance/chat-models';
import { ModelCalls } from '@parlance/observability';
import type { Usage } from '../../domain/conversation-events.ts';
import { refuseField } from '../../domain/conversation-refusals.ts';
import type { Price } from '../../domain/model-prices.ts';
import type { Retrieved } from '../from-bot.ts';
import { costAt, ModelPrices, priceAt, priceOf } from './model-prices.ts';
import { ModelProviders } from '../model-providers.ts';
import { kindsOf, type ModelKind } from './model-kinds.ts';

export interface CatalogueModel {
  readonly id: string;
  /** The model itself, without the router. */
  readonly chat: ChatModel;
  readonly entry: ModelEntry;
}

/** A model in the list of models. */
export interface ListedModel {
  readonly id: string;
  readonly name: string;
  /** False while its provider has no credentials. */
  readonly available: boolean;
  readonly capabilities: readonly string[];
  readonly context_window: number;
  readonly max_output_tokens: number | null;
}

/** A bot's settings about its models, from the bots service. A replica of an earlier release leaves them out. */
export interface ModelsOfBot {
  /** Empty: every model. */
  readonly active_models?: readonly string[];
  readonly default_model?: string | null;
  /** The bot's part of the prompt, if it was requested. Null for a bot with knowledge. Replicas of earlier releases leave it out. */
  readonly prompt?: Retrieved | null;
}

export interface AnsweringModel {
  /** `onCall` is invoked before each call to a provider. */
  generate(prompt: Prompt, signal: AbortSignal, onCall: () => void): AsyncIterable<Routed>;
}

/** The models of this installation, their availability, and the prices of their tokens. */
@Injectable()
export class Catalogue {
  /** Calls the available models. */
  readonly router: ModelRouter;
  readonly providers: ModelProviders;
  readonly list: readonly ListedModel[];
  /** The model of a request that names none, unless the bot decides. Null if no model is available. */
  readonly defaultModel: string | null;
  /** The model that proposes titles. Null if none is configured, or it is not available. */
  readonly titleModel: string | null;
  private readonly available: ReadonlyMap<string, CatalogueModel & RoutedModel>;
  /** All models, including those that are not offered. */
  readonly entries: ReadonlyMap<string, ModelEntry>;
  /** The models that programs may call, embedding models included: they are offered, and their providers have credentials. */
  readonly callable: ReadonlyMap<string, ModelEntry>;
  /** Names that stand for several models, for calls of programs. */
  readonly routes: ReadonlyMap<string, ModelRoute>;
  private readonly types: WholeCatalogue['providers'];
  /** Whether a model is called for this. */
  readonly serves: (entry: ModelEntry, kind: ModelKind) => boolean;
  /** False for a model of another kind, such as an embedding model. */
  readonly isForChat = (entry: ModelEntry): boolean => this.serves(entry, 'chat');
  /** The configured prices of all models, in the order in which they apply. A model that is no longer available may still be charged. */
  private readonly configured: ReadonlyMap<string, readonly Price[]>;

  constructor(
    { models: configured, globalAvailableModels: allowed }: Config,
    private readonly setPrices: ModelPrices,
    @Optional() @Inject(ModelCalls) calls: ModelCalls | null = null,
  ) {
    const whole = wholeCatalogue(configured);
    this.types = whole.providers;
    this.serves = (entry, kind) => serves(entry, kind, whole);
    this.providers = new ModelProviders(whole.providers, calls?.isObserved ? calls : null);
    this.entries = new Map(whole.models.map((entry) => [entry.id, entry]));
    this.configured = new Map(whole.models.map(({ id, prices }) => [id, prices.map(priceOf).toSorted((a, b) => a.from - b.from)]));
    const listed = whole.models.filter((entry) => this.isForChat(entry) && (allowed.length === 0 || allowed.includes(entry.id)));
    this.list = listed.map((entry) => ({ ...described(entry), available: this.providers.has(entry.provider) }));
    const offered = whole.models.filter(
      ({ id, provider }) => (allowed.length === 0 || allowed.includes(id)) && this.providers.has(provider),
    );
    this.callable = new Map(offered.map((entry) => [entry.id, entry]));
    this.routes = new Map(whole.routes.map((route) => [route.id, route]));
    this.available = new Map(listed.flatMap((entry) => this.opened(entry)));
    this.router = new ModelRouter(this.available);
    const { chat, title } = whole.defaults;
    this.titleModel = title !== null && this.available.has(title) ? title : null;
    // Prefers any provider's model to the offline model.
    const ids = [...this.available.values()].toSorted((a, b) => isOffline(a.entry, whole) - isOffline(b.entry, whole)).map(({ id }) => id);
    this.defaultModel = chat ?? ids[0] ?? null;
  }

  /** Throws the refusal `model_not_available` (invalid). */
  model(id: string | undefined): CatalogueModel {
    return this.requireModel(id, null);
  }

  /**
   * The model of a request: the named one, or else the bot's default, the installation's default, or the bot's first available model. Throws the
   * refusal `model_not_available` (invalid) for a model that is not available, or that the bot does not allow.
   */
  requireModel(id: string | undefined, bot: ModelsOfBot | null): CatalogueModel {
    const active = bot?.active_models ?? [];
    const allows = (each: string): boolean => active.length === 0 || active.includes(each);
    const usual = [bot?.default_model ?? null, this.defaultModel, ...active];
    const chosen = id ?? usual.find((each) => each !== null && this.available.has(each) && allows(each)) ?? this.defaultModel ?? 'none';
    const model = allows(chosen) ? this.available.get(chosen) : undefined;
    if (!model) throw notAvailable(chosen, [...this.available.keys()].filter(allows));
    return model;
  }

  /** The model for a reply, with those of its fallbacks that the bot allows. `active` is empty if it allows all. The offline model is called directly, because it has no provider that could fail or be busy. */
  answering(id: string, owner: string, active: readonly string[] = []): AnsweringModel {
    const { chat, entry } = this.model(id);
    const allows = (each: string): boolean => active.length === 0 || active.includes(each);
    if (!(chat instanceof LocalExtractive) || entry.fallbacks.length > 0)
      return { generate: (prompt, signal, onCall) => this.router.generate(id, prompt, { userId: owner, signal, onCall, allows }) };
    return {
      generate(prompt, signal, onCall) {
        onCall();
        return chat.generate(prompt, signal);
      },
    };
  }

  /** The window of a model in the catalogue. */
  windowOf(id: string): ModelWindow {
    const { context_window: contextWindow, max_output_tokens: maxOutputTokens, capabilities } = this.entries.get(id)!;
    return { contextWindow, maxOutputTokens, capabilities };
  }

  /** The kinds of files that a model accepts besides text. */
  reads(id: string): { readonly images: boolean; readonly documents: boolean } {
    const { capabilities = [] } = this.entries.get(id) ?? {};
    return { images: capabilities.includes('vision'), documents: capabilities.includes('documents') };
  }

  /** Which files the model or one of its fallbacks accepts. */
  readsOfAny(id: string): { readonly images: boolean; readonly documents: boolean } {
    const all = [id, ...(this.entries.get(id)?.fallbacks ?? [])].map((each) => this.reads(each));
    return { images: all.some(({ images }) => images), documents: all.some(({ documents }) => documents) };
  }

  /** The models that can read pages of documents: they accept images, and their provider has credentials. */
  get pageModels(): readonly string[] {
    return this.list.map(({ id }) => id).filter((id) => this.available.has(id) && this.reads(id).images);
  }

  /** Loads the package of each provider, one after another. */
  async prepare(): Promise<void> {
    const first = new Map([...this.available.values()].toReversed().map((model) => [model.provider.name, model.chat]));
    for (const chat of first.values()) await chat.prepare?.();
  }

  isAvailable(id: string): boolean {
    return this.available.has(id);
  }

  /** The name of a model's provider. Empty for a model that is no longer in the catalogue. */
  providerOf(id: string): string {
    return this.entries.get(id)?.provider ?? '';
  }

  /** The API of a model's provider. Null for a model that is no longer in the catalogue. */
  providerTypeOf(id: string): ProviderType | null {
    return this.types[this.providerOf(id)]?.type ?? null;
  }

  /** A model's configured prices, in the order in which they apply. */
  pricesOf(id: string): readonly Price[] {
    return this.configured.get(id) ?? [];
  }

  /** The cost of using a model, in nano-dollars, at the price of that time. A model without a price is free. */
  async cost(id: string, usage: Usage, at: Instant): Promise<number> {
    return (await this.priced(id, usage, at)).cost;
  }

  /** As `cost`, with the time from which the price applies. Null for a model without a price. */
  async priced(id: string, usage: Usage, at: Instant): Promise<{ readonly cost: number; readonly from: Instant | null }> {
    const price = await this.priceAt(id, at);
    return { cost: costAt(price, usage), from: price?.from ?? null };
  }

  /** A model's price at a time, including all prices set so far. Null for a model without a price. */
  async priceAt(id: string, at: Instant): Promise<Price | null> {
    return priceAt(this.pricesOf(id), await this.setPrices.of(id), at);
  }

  /** As `priceAt`, with prices that may be a second old. For estimates. */
  async recentPriceAt(id: string, at: Instant): Promise<Price | null> {
    return priceAt(this.pricesOf(id), await this.setPrices.recentOf(id), at);
  }

  private opened(entry: ModelEntry): [string, CatalogueModel & RoutedModel][] {
    const { id, model: providerModel, fallbacks } = entry;
    const open = this.providers.open(entry);
    return open ? [[id, { id, entry, ...open, providerModel, fallbacks }]] : [];
  }
}

const notAvailable = (id: string, offered: readonly string[]): Refusal =>
  refuseField('message.model', 'model_not_available', `The model ${id} is not available; available: ${offered.join(', ') || 'none'}.`);

const isOffline = ({ provider }: ModelEntry, { providers }: WholeCatalogue): number => (providers[provider]?.type === 'local' ? 1 : 0);

function serves(entry: ModelEntry, kind: ModelKind, whole: WholeCatalogue): boolean {
  const makesEmbeddings = isOffline(entry, whole) === 1 && entry.model === 'minilm';
  return makesEmbeddings ? kind === 'embedding' : kindsOf(entry, whole.defaults.embedding).includes(kind);
}

const described = ({ id, name, capabilities, context_window, max_output_tokens }: ModelEntry): Omit<ListedModel, 'available'> => ({
  id,
  name: name ?? id,
  capabilities,
  context_window,
  max_output_tokens,
});
