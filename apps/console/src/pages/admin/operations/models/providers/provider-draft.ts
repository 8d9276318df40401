import type { ChangeProviderBody, ModelProvider, NewProviderBody } from '@parlance/client/types';

export type ProviderType = NewProviderBody['type'];

export const PROVIDER_TYPES: readonly ProviderType[] = ['anthropic', 'openai', 'bedrock', 'openai_compatible'];

/** IDs of providers and models, as the server checks them. */
export const CATALOGUE_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/;
const ADDRESS = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?$/;

/** What is entered for a provider. Empty credentials are not sent. */
export interface ProviderDraft {
  readonly id: string;
  readonly type: ProviderType;
  readonly baseUrl: string;
  readonly region: string;
  readonly apiKey: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type DraftProblem = 'id' | 'idTaken' | 'baseUrl' | 'region' | 'apiKey' | 'credentials' | 'credentialsForAddress';

const NO_CREDENTIALS = { apiKey: '', accessKeyId: '', secretAccessKey: '' };

/** A free ID for a provider of a type. A built-in provider without credentials is given them under its own ID. */
export function freeProviderId(type: ProviderType, providers: readonly ModelProvider[]): string {
  const wanted = type === 'openai_compatible' ? 'our-models' : type;
  const taken = new Set(providers.filter(({ source }) => source !== 'built_in').map(({ id }) => id));
  for (let number = 1; ; number++) {
    const id = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(id)) return id;
  }
}

export const newDraft = (type: ProviderType, providers: readonly ModelProvider[]): ProviderDraft => ({
  id: freeProviderId(type, providers),
  type,
  baseUrl: '',
  region: type === 'bedrock' ? 'us-east-1' : '',
  ...NO_CREDENTIALS,
});

export const draftOf = ({ id, type, base_url, region }: ModelProvider): ProviderDraft => ({
  id,
  type: type as ProviderType,
  baseUrl: base_url ?? '',
  region: region ?? '',
  ...NO_CREDENTIALS,
});

const hasStored = ({ has_api_key, has_access_key }: ModelProvider): boolean => has_api_key || has_access_key;

/** What is missing or wrong. `stored` is the provider that is changed; null for a new one. */
export function problemsOf(
  draft: ProviderDraft,
  stored: ModelProvider | null,
  others: readonly ModelProvider[] = [],
): ReadonlySet<DraftProblem> {
  const { type, apiKey, accessKeyId, secretAccessKey } = draft;
  const baseUrl = draft.baseUrl.trim();
  const problems = new Set<DraftProblem>();
  if (stored === null && !CATALOGUE_NAME.test(draft.id)) problems.add('id');
  if (stored === null && others.some(({ id, source }) => id === draft.id && source !== 'built_in')) problems.add('idTaken');
  if (baseUrl === '' ? type === 'openai_compatible' : !ADDRESS.test(baseUrl)) problems.add('baseUrl');
  if (type === 'bedrock' && draft.region.trim() === '') problems.add('region');
  const isPair = accessKeyId !== '' && secretAccessKey !== '';
  const isHalf = (accessKeyId !== '') !== (secretAccessKey !== '');
  const isGiven = apiKey !== '' || isPair;
  const isKept = stored !== null && hasStored(stored);
  if (isKept && !isGiven && baseUrl !== (stored.base_url ?? '')) problems.add('credentialsForAddress');
  else if (type === 'bedrock' ? isHalf || (!isGiven && !isKept) : type !== 'openai_compatible' && !isGiven && !isKept) {
    problems.add(type === 'bedrock' ? 'credentials' : 'apiKey');
  }
  return problems;
}

export const creationOf = (draft: ProviderDraft): NewProviderBody => ({
  id: draft.id,
  type: draft.type,
  ...termsOf(draft),
  ...credentialsOf(draft),
});

export const changeOf = (draft: ProviderDraft): ChangeProviderBody => ({ ...termsOf(draft), ...credentialsOf(draft) });

const termsOf = ({ type, baseUrl, region }: ProviderDraft) => ({
  base_url: baseUrl.trim() === '' ? null : baseUrl.trim(),
  ...(type === 'bedrock' && { region: region.trim() }),
});

const credentialsOf = ({ type, apiKey, accessKeyId, secretAccessKey }: ProviderDraft) => ({
  ...(apiKey !== '' && { api_key: apiKey.trim() }),
  ...(type === 'bedrock' && accessKeyId !== '' && { access_key_id: accessKeyId.trim(), secret_access_key: secretAccessKey.trim() }),
});
