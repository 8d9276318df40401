import { Embedder } from './embedder.ts';
import { openModel, optionsOf, type ProviderSettings } from './embedding-models.ts';
import { checkMiniLm, minilmDirectory } from './minilm-files.ts';

/** The configuration keys that select the embedding model. `Config` has this form. */
export interface EmbeddingSettings {
  readonly dataDir: string;
  readonly models: {
    readonly providers: Readonly<Record<string, ProviderSettings>>;
    readonly models: readonly { readonly id: string; readonly provider: string; readonly model: string; readonly context_window: number }[];
    readonly defaults: { readonly embedding: string | null };
  } | null;
}

/** Thrown at startup if `models.defaults.embedding` names a model that does not embed. */
export class NoEmbeddingModel extends Error {
  constructor(id: string) {
    super(
      `models.defaults.embedding = "${id}" is not allowed: it has to be a model of the types openai, openai_compatible or bedrock, or minilm of the type local`,
    );
    this.name = 'NoEmbeddingModel';
  }
}

/**
 * The configured embedding model, or null if there is none: search is then lexical. No request is sent and no provider package is loaded before
 * the first use. Throws `NoEmbeddingModel` or `MiniLmNotInstalled`, each with a one-line message.
 */
export async function openEmbedder({ dataDir, models }: EmbeddingSettings): Promise<Embedder | null> {
  const id = models?.defaults.embedding ?? null;
  if (models === null || id === null) return null;
  const entry = models.models.find((model) => model.id === id);
  const provider = entry && models.providers[entry.provider];
  if (entry === undefined || provider === undefined) throw new NoEmbeddingModel(id);
  if (provider.type === 'local') {
    if (entry.model !== 'minilm') throw new NoEmbeddingModel(id);
    const directory = minilmDirectory(dataDir);
    checkMiniLm(directory);
    const { MiniLmEmbedder } = await import('./minilm-embedder.ts');
    return new MiniLmEmbedder({ id, directory });
  }
  const open = openModel(provider, entry.model);
  if (open === null) throw new NoEmbeddingModel(id);
  const { ProviderEmbedder } = await import('./provider-embedder.ts');
  const options = optionsOf(provider.type);
  return new ProviderEmbedder({
    id,
    space: `${entry.provider}/${entry.model}`,
    contextWindow: entry.context_window,
    open,
    ...(options && { optionsOf: options }),
  });
}
