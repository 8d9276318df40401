import type { GlobalModel } from '@parlance/client/types';
import { canReason, canSee, choosable, modelFor } from './models.ts';

const model = (id: string, its: Partial<GlobalModel> = {}): GlobalModel => ({
  id,
  name: id,
  available: true,
  capabilities: [],
  context_window: 1,
  max_output_tokens: null,
  ...its,
});
const config = {
  global_available_models: [model('a'), model('b', { available: false }), model('c', { capabilities: ['vision', 'reasoning'] })],
};

describe('the models of a chat', () => {
  it('are the available ones', () => expect(choosable(config, null).map(({ id }) => id)).toEqual(['a', 'c']));
  it('are the models of the bot, if it names some', () => {
    expect(choosable(config, { active_models: ['b', 'c'], default_model: null }).map(({ id }) => id)).toEqual(['c']);
    expect(choosable(config, { active_models: [], default_model: null })).toHaveLength(2);
  });
  it('default to the first preferred model that is available', () => {
    const models = choosable(config, null);
    expect(modelFor(models, null, 'gone', 'c', 'a')?.id).toBe('c');
    expect(modelFor(models, 'gone')?.id).toBe('a');
    expect(modelFor([], 'a')).toBeNull();
  });
  it('have a description of their capabilities', () => {
    const [first, last] = choosable(config, null) as [GlobalModel, GlobalModel];
    expect([canSee(first), canReason(first), canSee(last), canReason(last), canSee(null)]).toEqual([false, false, true, true, false]);
  });
});
