import { describe, expect, it } from '@jest/globals';
import { effectiveConfig } from './describe-config.ts';
import { complaint, files, load } from '../test/load.ts';

// Replaced by the name of the configuration file, which `load` numbers.
const where = '*';
const inFile = (line: string) => line.replace('*', `(${files}.json)`);

describe('the embedding model', () => {
  const catalogue = (provider: object, model = 'm') => ({
    models: {
      providers: { p: provider },
      models: [{ id: 'e', provider: 'p', model }],
      defaults: { embedding: 'e' },
    },
  });

  it.each([
    [{ type: 'openai', api_key: 'k' }, 'text-embedding-3-small'],
    [{ type: 'openai_compatible', base_url: 'http://127.0.0.1:1/v1' }, 'm'],
    [{ type: 'bedrock', region: 'us-east-1', api_key: 'k' }, 'cohere.embed-english-v3'],
    [{ type: 'bedrock', region: 'us-east-1', access_key_id: 'a', secret_access_key: 's' }, 'amazon.titan-embed-text-v2:0'],
    [{ type: 'local' }, 'minilm'],
  ])('may be of %j', (provider, model) => expect(load(catalogue(provider, model)).models?.defaults.embedding).toBe('e'));

  const types = 'a model of a provider of the type openai, openai_compatible or bedrock, or the model minilm of the type local';
  it.each([
    [{ type: 'anthropic', api_key: 'k' }, `models.defaults.embedding = "e" ${where} is not allowed: it has to be ${types}`],
    [{ type: 'local' }, `models.defaults.embedding = "e" ${where} is not allowed: it has to be ${types}`],
    [{ type: 'openai' }, `models.providers.p.api_key is missing ${where}: it has to be set, because e makes embeddings`],
    [{ type: 'openai_compatible' }, `models.providers.p.base_url is missing ${where}: it has to be set, because e makes embeddings`],
    [{ type: 'bedrock', api_key: 'k' }, `models.providers.p.region is missing ${where}: it has to be set, because e makes embeddings`],
    [
      { type: 'bedrock', region: 'us-east-1', access_key_id: 'a' },
      `models.providers.p.secret_access_key is missing ${where}: it has to be set, because Amazon Bedrock needs credentials`,
    ],
  ])('is not one of %j', (provider, line) => expect(complaint(catalogue(provider))).toBe(inFile(line)));

  it('is also checked if the built-in catalogue is extended', () => {
    const { models } = catalogue({ type: 'anthropic' });
    expect(complaint({ models: { ...models, extends: 'builtin' } })).toContain('models.defaults.embedding = "e"');
  });
});

describe('the reranker', () => {
  it.each([
    { type: 'http', url: 'http://127.0.0.1:1/rerank', document_field: 'texts' },
    { type: 'cohere', model: 'rerank-v3.5', api_key: 'k' },
    { type: 'bedrock', model: 'amazon.rerank-v1:0', region: 'us-east-1', access_key_id: 'a', secret_access_key: 's' },
  ])('may be %j', (reranker) => expect(load({ reranker }).reranker).toMatchObject(reranker));

  it.each([
    [{ type: 'http' }, `reranker.url is missing ${where}: it has to be set for the type http`],
    [{ type: 'cohere', model: 'm' }, `reranker.api_key is missing ${where}: it has to be set for the type cohere`],
    [{ type: 'cohere', api_key: 'k' }, `reranker.model is missing ${where}: it has to be set for the type cohere`],
    [
      { type: 'bedrock', model: 'm', region: 'us-east-1' },
      `reranker.access_key_id is missing ${where}: it has to be set, because Amazon Bedrock needs credentials`,
    ],
    [{ type: 'jina' }, `reranker.type = "jina" ${where} is not allowed: it has to be one of http, cohere, bedrock`],
  ])('%j is refused', (reranker, line) => expect(complaint({ reranker })).toBe(inFile(line)));
});

describe('the retrievers', () => {
  const bot_id = '01JD0000000000000000000000';
  it.each([
    { type: 'http', url: 'http://10.0.0.1/search', token: 't' },
    { type: 'parlance', url: 'https://chat.example.org', bot_id, token: 't' },
    { type: 'parlance', url: 'https://chat.example.org', bot_id, email: 'a@example.org', password: 'p' },
    { type: 'bedrock', knowledge_base_id: 'KB1', region: 'us-east-1', access_key_id: 'a', secret_access_key: 's' },
  ])('may have %j', (retriever) =>
    expect(load(null, { RETRIEVERS: JSON.stringify({ wiki: retriever }) }).retrievers['wiki']).toMatchObject(retriever),
  );

  it.each([
    [{ type: 'http' }, `retrievers.wiki.url is missing ${where}: it has to be set for the type http`],
    [
      { type: 'parlance', url: 'http://a', token: 't' },
      `retrievers.wiki.bot_id is missing ${where}: it has to be set for the type parlance`,
    ],
    [
      { type: 'parlance', url: 'http://a', bot_id, email: 'a@example.org' },
      `retrievers.wiki.password is missing ${where}: it has to be set for the type parlance`,
    ],
    [{ type: 'bedrock', region: 'x' }, `retrievers.wiki.knowledge_base_id is missing ${where}: it has to be set for the type bedrock`],
  ])('%j is refused', (wiki, line) => expect(complaint({ retrievers: { wiki } })).toBe(inFile(line)));

  it.each(['', 'a/b', '.a'])('may not be named %j', (name) =>
    expect(complaint({ retrievers: { [name]: { type: 'http', url: 'http://a' } } })).toContain('a map from names (1 to 100 letters'),
  );
});

describe('the store of s3_urls', () => {
  const store = { region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 's', buckets: ['handbook', 'shared-files/public/'] };

  it('lists the buckets that bots may read', () => expect(load({ knowledgeS3: store }).knowledgeS3).toMatchObject(store));
  it.each([[['s3://handbook']], [['Handbook']], [['a']], 'handbook'])('may not have the buckets %j', (buckets) =>
    expect(complaint({ knowledgeS3: { ...store, buckets } })).toContain('a list of buckets, each `bucket` or `bucket/prefix`'),
  );
});

describe('a secret of knowledge', () => {
  const canary = 'canary-5e1f';
  const secrets = {
    MODELS: `{"providers":{"p":{"type":"bedrock","secret_access_key":"${canary}"}}}`,
    RERANKER: `{"type":"cohere","model":"m","api_key":"${canary}","secret_access_key":"${canary}"}`,
    RETRIEVERS: `{"wiki":{"type":"http","url":"http://a","token":"${canary}","password":"${canary}","secret_access_key":"${canary}"}}`,
    KNOWLEDGE_S3: `{"region":"x","accessKeyId":"a","secretAccessKey":"${canary}","buckets":["abc"]}`,
  };
  it('is masked when printed', () => {
    const printed = JSON.stringify(effectiveConfig(load(null, secrets)));
    expect(printed).toContain('***');
    expect(printed).not.toContain(canary);
  });
});
