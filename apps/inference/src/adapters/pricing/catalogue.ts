import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Instant, Refusal } from '@parlance/decider';
import { Config, type ModelCatalogue, type ModelEntry, type ModelRoute, PROVIDER_TYPES, type ProviderType } from '@parlance/config';
import { LocalExtractive, ModelRouter, type ModelWindow, type Prompt, type Routed, type RoutedModel } from '@parlance/chat-models';
import { ModelCalls } from '@parlance/observability';
import type { Usage } from '../../domain/conversation-events.ts';
import { refuseField } from '../../domain/conversation-refusals.ts';
import type { Price } from '../../domain/model-prices.ts';
import type { Retrieved } from '../from-bot.ts';
import { CatalogueContents, type CatalogueModel, type ListedModel } from '../catalogue/catalogue-contents.ts';
import { type ManagedParts, NO_PARTS } from '../catalogue/managed-parts.ts';
import { mergedCatalogue, type MergedCatalogue } from '../catalogue/merged-catalogue.ts';
import { ModelProviders } from '../model-providers.ts';
import { providerNetwork } from '../provider-network.ts';
import type { ModelKind } from './model-kinds.ts';
import { costAt, ModelPrices, priceAt } from './model-prices.ts';

/** Models that were removed while replies of theirs may still be written. */
const MOST_REMOVED = 1_000;

/** A bot's settings about its models, from the bots service. A replica of an earlier release leaves them out. */
export interface ModelsOfBot {
  /** Empty: every model. */
  readonly active_models?: readonly string[];
  readonly default_model?: string | null;
  /** The bot's part of the prompt, if it was requested. Null for a bot with knowledge. Replicas of earlier releases leave it out. */
  readonly prompt?: Retrieved | null;
}

export type { CatalogueModel, ListedModel };

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
  private contents: CatalogueContents;
  private readonly configured: ModelCatalogue | null;
  private readonly allowed: readonly string[];
  /** Entries of removed models, for the replies that they are still writing. */
  private readonly removed = new Map<string, ModelEntry>();

  constructor(
    { models, globalAvailableModels, fetchAllowedPrivateRanges }: Config,
    private readonly setPrices: ModelPrices,
    @Optional() @Inject(ModelCalls) calls: ModelCalls | null = null,
  ) {
    [this.configured, this.allowed] = [models, globalAvailableModels];
    this.providers = new ModelProviders(calls?.isObserved ? calls : null, providerNetwork(fetchAllowedPrivateRanges));
    this.contents = this.contentsWith(NO_PARTS);
    this.router = new ModelRouter({ get: (id) => this.contents.available.get(id) });
  }

  /** Replaces what administrators have added. Calls that have begun are not affected. */
  use(managed: ManagedParts): void {
    const before = this.contents.entries;
    this.contents = this.contentsWith(managed);
    for (const [id, entry] of before) if (!this.contents.entries.has(id)) this.removed.set(id, entry);
    for (const id of this.removed.keys()) if (this.removed.size > MOST_REMOVED || this.contents.entries.has(id)) this.removed.delete(id);
  }

  private contentsWith(managed: ManagedParts): CatalogueContents {
    const whole = mergedCatalogue(this.configured, managed);
    const guarded = [...whole.sources.providers].flatMap(([id, source]) => (source === 'managed' ? id : []));
    this.providers.use(whole.providers, new Set(guarded));
    return new CatalogueContents(whole, this.providers, this.allowed);
  }

  /** The whole catalogue, with the sources of its parts. */
  get whole(): MergedCatalogue {
    return this.contents.whole;
  }

  get list(): readonly ListedModel[] {
    return this.contents.list;
  }

  /** The model of a request that names none, unless the bot decides. Null if no model is available. */
  get defaultModel(): string | null {
    return this.contents.defaultModel;
  }

  /** The model that proposes titles. Null if none is configured, or it is not available. */
  get titleModel(): string | null {
    return this.contents.titleModel;
  }

  /** The model and the voice that read replies aloud in the console. Null if there is none. */
  get speech(): { readonly model: string; readonly voice: string } | null {
    const { speechModel: model, whole } = this.contents;
    return model === null ? null : { model, voice: whole.defaults.voice };
  }

  /** The model that writes down what users dictate in the console. Null if there is none. */
  get transcriptionModel(): string | null {
    return this.contents.transcriptionModel;
  }

  /** The model that makes images for the tool `create_image`. Null if there is none. */
  get imageModel(): string | null {
    return this.contents.imageModel;
  }

  private get available(): ReadonlyMap<string, CatalogueModel & RoutedModel> {
    return this.contents.available;
  }

  /** All models, including those that are not offered. */
  get entries(): ReadonlyMap<string, ModelEntry> {
    return this.contents.entries;
  }

  /** The models that programs may call, embedding models included: they are offered, and their providers have credentials. */
  get callable(): ReadonlyMap<string, ModelEntry> {
    return this.contents.callable;
  }

  /** Names that stand for several models, for calls of programs. */
  get routes(): ReadonlyMap<string, ModelRoute> {
    return this.contents.routes;
  }

  /** Whether a model is called for this. */
  serves(entry: ModelEntry, kind: ModelKind): boolean {
    return this.contents.serves(entry, kind);
  }

  /** False for a model of another kind, such as an embedding model. */
  isForChat(entry: ModelEntry): boolean {
    return this.serves(entry, 'chat');
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

  /** The window of a model that is or was in the catalogue. */
  windowOf(id: string): ModelWindow {
    const {
      context_window: contextWindow,
      max_output_tokens: maxOutputTokens,
      capabilities,
    } = (this.entries.get(id) ?? this.removed.get(id))!;
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

  /** Whether tools can be offered to the model and its fallbacks. */
  acceptsTools(id: string): boolean {
    const all = [id, ...(this.entries.get(id)?.fallbacks ?? [])];
    return all.every((each) => {
      const type = this.providerTypeOf(each);
      return type !== null && (PROVIDER_TYPES[type].acceptsTools || (this.entries.get(each)?.capabilities ?? []).includes('tools'));
    });
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
    return this.whole.providers[this.providerOf(id)]?.type ?? null;
  }

  /** A model's configured prices, in the order in which they apply. */
  pricesOf(id: string): readonly Price[] {
    return this.contents.prices.get(id) ?? [];
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
}

const notAvailable = (id: string, offered: readonly string[]): Refusal =>
  refuseField('message.model', 'model_not_available', `The model ${id} is not available; available: ${offered.join(', ') || 'none'}.`);
