import { replacedBy, routesTo } from './model-routes.ts';

const route = (id: string, targets: string[], fallbacks: string[] = []) => ({
  id,
  targets: targets.map((model) => ({ model, weight: 1 })),
  fallbacks,
});

describe('the ways to a model besides its own ID', () => {
  it('are the routes that have it as a target or as a fallback', () =>
    expect(routesTo('a', [route('one', ['a', 'b']), route('two', ['b'], ['a']), route('three', ['b'])])).toEqual(['one', 'two']));

  it('are at most as many routes as one request can name', () =>
    expect(
      routesTo(
        'a',
        Array.from({ length: 60 }, (_, at) => route(`r${at}`, ['a'])),
      ),
    ).toHaveLength(49));

  it('are the models that have it as a fallback', () =>
    expect(replacedBy('a', [{ fallbacks: ['a'] }, { fallbacks: ['b'] }, { fallbacks: [] }])).toEqual([{ fallbacks: ['a'] }]));
});
