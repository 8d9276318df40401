import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance } from '@parlance/client';
import { missing, oneProcess, type Product, withModelClients } from '@parlance/testing';
import { admin, environment } from '../deployment.ts';
import { WeatherProvider } from './weather-provider.ts';

const program = fileURLToPath(new URL('clients.py', import.meta.url));
const CHECKS = [
  ...['models', 'chat', 'stream', 'tools', 'json_schema', 'responses', 'embeddings', 'images', 'audio', 'errors'].map(
    (name) => `openai_${name}`,
  ),
  ...['messages', 'stream', 'tools', 'count_tokens', 'errors'].map((name) => `anthropic_${name}`),
  'langchain_openai',
  'langchain_anthropic',
  'llama_index',
  'pydantic_ai',
  'instructor',
  'litellm',
];

(missing('model-clients') ? describe.skip : describe)('calls of models by the clients that are common in Python', () => {
  const provider = new WeatherProvider();
  let product: Product;
  let found: ReadonlyMap<string, string | null>;

  beforeAll(async () => {
    product = await oneProcess({ ...environment, PARLANCE_MODELS: await provider.start() });
    const { session, api } = new Parlance({ baseUrl: product.url });
    await session.signIn(admin.email, admin.password);
    const { token } = await api.post('/user/me/tokens', { body: { description: 'Clients', scopes: ['models'] } });
    const lines = await withModelClients<{ name: string; problem: string | null }>(program, {
      PARLANCE_URL: product.url,
      PARLANCE_TOKEN: token!,
      // Otherwise LiteLLM fetches prices from the web.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    });
    found = new Map(lines.map(({ name, problem }) => [name, problem]));
  }, 900_000);
  afterAll(async () => {
    await product.stop();
    await provider.stop();
  });

  it.each(CHECKS)('get what they expect: %s', (name) => expect(found.get(name)).toBeNull());
  it('are all listed here', () => expect([...found.keys()].sort()).toEqual([...CHECKS].sort()));
});
