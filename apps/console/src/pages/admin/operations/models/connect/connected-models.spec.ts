import type { Model } from '@parlance/client/types';
import { chatIds, listedOrKnown } from './connected-models.ts';

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
  it('are those of its list, or those of the catalogue if it has no list', () => {
    const listed = { model: 'a-1', name: null, context_window: null, model_ids: ['a'], suggestion: null };
    const catalogue = [model('b'), model('c', { provider: 'other' })];
    expect(listedOrKnown({ models: [listed], complete: true }, catalogue, 'ours')).toEqual([listed]);
    const known = { model: 'b-1', name: 'b', context_window: 1_000, model_ids: ['b'], suggestion: null };
    expect(listedOrKnown({ models: [], complete: true }, catalogue, 'ours')).toEqual([known]);
  });
  it('can begin a chat if they are available and chat', () => {
    const models = [model('a'), model('b', { available: false }), model('c', { capabilities: ['embedding'] })];
    expect([...chatIds(models)]).toEqual(['a']);
  });
});
