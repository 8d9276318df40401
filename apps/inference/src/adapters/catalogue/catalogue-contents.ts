import type { ChatModel, RoutedModel } from '@parlance/chat-models';
import type { ModelEntry, ModelRoute, WholeCatalogue } from '@parlance/config';
import type { Price } from '../../domain/model-prices.ts';
import type { ModelProviders } from '../model-providers.ts';
import { kindsOf, type ModelKind } from '../pricing/model-kinds.ts';
import { priceOf } from '../pricing/model-prices.ts';
import type { MergedCatalogue } from './merged-catalogue.ts';

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

/** The catalogue at one moment. A change of the catalogue replaces all of it. */
export class CatalogueContents {
  readonly list: readonly ListedModel[];
  readonly available: ReadonlyMap<string, CatalogueModel & RoutedModel>;
  readonly entries: ReadonlyMap<string, ModelEntry>;
  readonly callable: ReadonlyMap<string, ModelEntry>;
  readonly routes: ReadonlyMap<string, ModelRoute>;
  readonly defaultModel: string | null;
  readonly titleModel: string | null;
  /** Reads replies aloud in the console. */
  readonly speechModel: string | null;
  /** Writes down what users dictate in the console. */
  readonly transcriptionModel: string | null;
  /** Makes images for the tool `create_image`. */
  readonly imageModel: string | null;
  readonly prices: ReadonlyMap<string, readonly Price[]>;

  /** `allowed`: the models that are offered. Empty: all. */
  constructor(
    readonly whole: MergedCatalogue,
    providers: ModelProviders,
    allowed: readonly string[],
  ) {
    const isAllowed = (id: string): boolean => allowed.length === 0 || allowed.includes(id);
    this.entries = new Map(whole.models.map((entry) => [entry.id, entry]));
    this.prices = new Map(whole.models.map(({ id, prices }) => [id, prices.map(priceOf).toSorted((a, b) => a.from - b.from)]));
    const listed = whole.models.filter((entry) => this.serves(entry, 'chat') && isAllowed(entry.id));
    this.list = listed.map((entry) => ({ ...described(entry), available: providers.has(entry.provider) }));
    const offered = whole.models.filter(({ id, provider }) => isAllowed(id) && providers.has(provider));
    this.callable = new Map(offered.map((entry) => [entry.id, entry]));
    this.routes = new Map(whole.routes.map((route) => [route.id, route]));
    this.available = new Map(listed.flatMap((entry) => opened(entry, providers)));
    const { chat, title, speech = null, transcription = null, image = null } = whole.defaults;
    this.titleModel = title !== null && this.available.has(title) ? title : null;
    const first = (kind: ModelKind) => offered.find((entry) => this.serves(entry, kind))?.id ?? null;
    const callable = (id: string) => (this.callable.has(id) ? id : null);
    this.speechModel = speech === null ? first('speech') : callable(speech);
    this.transcriptionModel = transcription === null ? first('transcription') : callable(transcription);
    this.imageModel = image === null ? first('image_generation') : callable(image);
    // Prefers any provider's model to the offline model.
    const ids = [...this.available.values()].toSorted((a, b) => isOffline(a.entry, whole) - isOffline(b.entry, whole)).map(({ id }) => id);
    this.defaultModel = chat ?? ids[0] ?? null;
  }

  /** Whether a model is called for this. */
  serves(entry: ModelEntry, kind: ModelKind): boolean {
    const makesEmbeddings = isOffline(entry, this.whole) === 1 && entry.model === 'minilm';
    return makesEmbeddings ? kind === 'embedding' : kindsOf(entry, this.whole.defaults.embedding).includes(kind);
  }
}

function opened(entry: ModelEntry, providers: ModelProviders): readonly [string, CatalogueModel & RoutedModel][] {
  const { id, model: providerModel, fallbacks } = entry;
  const open = providers.open(entry);
  return open ? [[id, { id, entry, ...open, providerModel, fallbacks }]] : [];
}

const isOffline = ({ provider }: ModelEntry, { providers }: WholeCatalogue): number => (providers[provider]?.type === 'local' ? 1 : 0);

const described = ({ id, name, capabilities, context_window, max_output_tokens }: ModelEntry): Omit<ListedModel, 'available'> => ({
  id,
  name: name ?? id,
  capabilities,
  context_window,
  max_output_tokens,
});
