import type { WholeCatalogue } from './model-catalogue.ts';
import { PROVIDER_TYPES } from './provider-types.ts';

/** A value that contradicts the other values. `undefined` means that the value is missing. */
export interface Objection {
  readonly path: string;
  readonly value: string | number | undefined;
  /** The allowed values, as the end of a sentence. */
  readonly allowed: string;
}

/** An error if `models.defaults.embedding` names a model of this catalogue that cannot create embeddings. */
export function embeddingObjection({ providers, models, defaults }: WholeCatalogue): Objection | null {
  const { embedding: id } = defaults;
  const index = models.findIndex((model) => model.id === id);
  const entry = models[index];
  const provider = entry && providers[entry.provider];
  if (provider === undefined || entry === undefined) return null;
  const { type } = provider;
  const allowed = 'a model of a provider of the type openai, openai_compatible or bedrock, or the model minilm of the type local';
  const needed = PROVIDER_TYPES[type].embeddingNeeds;
  if (needed === null || (type === 'local' && entry.model !== 'minilm'))
    return { path: 'models.defaults.embedding', value: entry.id, allowed };
  const path = `models.providers.${entry.provider}`;
  for (const key of needed)
    if (provider[key] === null) return { path: `${path}.${key}`, value: undefined, allowed: `set, because ${entry.id} makes embeddings` };
  return type === 'bedrock' ? awsObjection(path, provider) : null;
}

/** An error if there is neither an API key nor an access key with its secret. */
export function awsObjection(
  path: string,
  {
    api_key = null,
    access_key_id,
    secret_access_key,
  }: { api_key?: string | null; access_key_id: string | null; secret_access_key: string | null },
): Objection | null {
  if (api_key !== null || (access_key_id !== null && secret_access_key !== null)) return null;
  const key = access_key_id === null ? 'access_key_id' : 'secret_access_key';
  return { path: `${path}.${key}`, value: undefined, allowed: 'set, because Amazon Bedrock needs credentials' };
}
