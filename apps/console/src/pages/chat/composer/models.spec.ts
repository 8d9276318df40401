import type { GlobalModel } from '@parlance/client/types';
import { canReason, canSee, choosable, comparedModels, modelFor } from './models.ts';

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
  it('are compared in the order of their choice, at most three, and not if fewer than two can be used', () => {
    const models = ['a', 'b', 'c', 'd'].map((id) => model(id));
    const compared = (...ids: string[]) => comparedModels(models, ids).map(({ id }) => id);
    expect(compared('c', 'gone', 'a')).toEqual(['c', 'a']);
    expect(compared('d', 'c', 'b', 'a')).toEqual(['d', 'c', 'b']);
    expect(compared('a', 'gone')).toEqual([]);
  });
});
