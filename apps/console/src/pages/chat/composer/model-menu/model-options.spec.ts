import type { GlobalModel } from '@parlance/client/types';
import { modelOptions } from './model-options.ts';

const model = (id: string, available = true): GlobalModel => ({
  id,
  name: id,
  available,
  capabilities: [],
  context_window: 8_000,
  max_output_tokens: null,
});

describe('the menu of models', () => {
  const [unconnected, foreign, first, second] = [model('unconnected', false), model('foreign'), model('first'), model('second')];

  it('has the models that can be used first, and says why the others cannot', () => {
    const options = modelOptions([unconnected, foreign, first, second], [first, second]);
    expect(options.map(({ model: { id }, obstacle }) => [id, obstacle])).toEqual([
      ['first', null],
      ['second', null],
      ['unconnected', 'no_provider'],
      ['foreign', 'not_of_bot'],
    ]);
  });
});
