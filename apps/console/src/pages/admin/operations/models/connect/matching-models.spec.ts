import type { AvailableModel } from '../model-fields/model-draft.ts';
import { matchingModels } from './matching-models.ts';

const model = (id: string, its: Partial<AvailableModel> = {}): AvailableModel => ({
  model: id,
  name: null,
  context_window: null,
  model_ids: [],
  suggestion: null,
  ...its,
});
const suggestion = { id: 'big', name: 'Big One', context_window: 1, max_output_tokens: null, capabilities: [], prices: [] };

describe('the models of a provider', () => {
  it('are found by all words of a search in any of their names', () => {
    const all = [model('qwen3:32b', { name: 'Qwen 3' }), model('b-1', { suggestion })];
    const found = (search: string) => matchingModels(all, search).map(({ model: id }) => id);
    expect([found(' QWEN 32'), found('one big'), found('qwen big'), found('')]).toEqual([['qwen3:32b'], ['b-1'], [], ['b-1', 'qwen3:32b']]);
  });
});
