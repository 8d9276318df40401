import type { ModelProvider } from '@parlance/client/types';
import { changeOf, creationOf, draftOf, freeProviderId, newDraft, problemsOf } from './provider-draft.ts';

const provider = (its: Partial<ModelProvider>): ModelProvider => ({
  id: 'ours',
  type: 'openai_compatible',
  base_url: 'https://models.example.org/v1',
  region: null,
  has_api_key: true,
  has_access_key: false,
  available: true,
  models: 0,
  breaker: null,
  max_concurrent_calls: 1_000,
  queue_timeout_seconds: 30,
  first_token_timeout_seconds: 120,
  token_timeout_seconds: 60,
  source: 'managed',
  read_only: false,
  etag: '"1"',
  ...its,
});

describe('the ID of a new provider', () => {
  it('is its type, so that a built-in provider gets the credentials', () => {
    expect(freeProviderId('anthropic', [provider({ id: 'anthropic', source: 'built_in' })])).toBe('anthropic');
  });
  it('is free', () => {
    const all = [provider({ id: 'openai' }), provider({ id: 'openai-2', source: 'configuration' })];
    expect(freeProviderId('openai', all)).toBe('openai-3');
  });
});

describe('a new provider', () => {
  it('needs a key, unless its server wants none', () => {
    expect([...problemsOf(newDraft('anthropic', []), null)]).toEqual(['apiKey']);
    expect([...problemsOf({ ...newDraft('openai_compatible', []), baseUrl: 'http://10.0.0.5:11434/v1' }, null)]).toEqual([]);
  });
  it('of Bedrock needs a region, and a key or a pair of keys', () => {
    const draft = newDraft('bedrock', []);
    expect([...problemsOf({ ...draft, region: ' ' }, null)]).toEqual(['region', 'credentials']);
    expect([...problemsOf({ ...draft, apiKey: 'k', accessKeyId: 'half' }, null)]).toEqual(['credentials']);
    expect([...problemsOf({ ...draft, accessKeyId: 'a', secretAccessKey: 's' }, null)]).toEqual([]);
  });
  it('needs a valid, free ID and a valid base URL', () => {
    const draft = { ...newDraft('openai_compatible', []), baseUrl: 'models.example.org' };
    expect([...problemsOf({ ...draft, id: 'our models' }, null)]).toEqual(['id', 'baseUrl']);
    expect([...problemsOf({ ...draft, id: 'ours' }, null, [provider({})])]).toEqual(['idTaken', 'baseUrl']);
  });
  it('is sent without what is empty', () => {
    const draft = { ...newDraft('openai_compatible', []), baseUrl: ' https://models.example.org/v1 ', accessKeyId: 'of another type' };
    expect(creationOf(draft)).toEqual({ id: 'our-models', type: 'openai_compatible', base_url: 'https://models.example.org/v1' });
  });
});

describe('a changed provider', () => {
  it('keeps its credentials while its base URL stays', () => {
    const draft = draftOf(provider({}));
    expect([...problemsOf(draft, provider({}))]).toEqual([]);
    expect(changeOf(draft)).toEqual({ base_url: 'https://models.example.org/v1' });
  });
  it('needs them again for another base URL', () => {
    const draft = { ...draftOf(provider({})), baseUrl: 'https://elsewhere.example.org/v1' };
    expect([...problemsOf(draft, provider({}))]).toEqual(['credentialsForAddress']);
    expect([...problemsOf({ ...draft, apiKey: 'new' }, provider({}))]).toEqual([]);
    expect([...problemsOf(draft, provider({ has_api_key: false }))]).toEqual([]);
  });
});
