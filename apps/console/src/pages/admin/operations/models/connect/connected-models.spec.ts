import type { Model } from '@parlance/client/types';
import { chatIds, withConnected } from './connected-models.ts';

const model = (id: string, its: Partial<Model> = {}): Model => ({
  id,
  name: id,
  provider: 'ours',
  model: `${id}-1`,
  available: true,
  capabilities: [],
  context_window: 1_000,
  max_output_tokens: null,
  fallbacks: [],
  price: null,
  prices: [],
  source: 'built_in',
  read_only: true,
  etag: null,
  ...its,
});

describe('the models of a provider', () => {
  it('are those of its list, and those of the catalogue that the list lacks', () => {
    const listed = { model: 'a-1', name: null, context_window: null, model_ids: ['a'], suggestion: null };
    const all = withConnected({ models: [listed], complete: true }, [model('a'), model('b'), model('c', { provider: 'other' })], 'ours');
    expect(all).toEqual([listed, { model: 'b-1', name: 'b', context_window: 1_000, model_ids: ['b'], suggestion: null }]);
  });
  it('can begin a chat if they are available and chat', () => {
    const models = [model('a'), model('b', { available: false }), model('c', { capabilities: ['embedding'] })];
    expect([...chatIds(models)]).toEqual(['a']);
  });
});
