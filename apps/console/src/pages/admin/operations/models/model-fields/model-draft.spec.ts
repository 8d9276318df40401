import { type AvailableModel, creationOfModel, draftFor, type ModelDraft, modelProblems } from './model-draft.ts';

const NOW = new Date('2026-11-29T12:00:00Z');
const NONE: ReadonlySet<string> = new Set();
const unknown: AvailableModel = { model: 'qwen3:32b', name: null, context_window: null, model_ids: [], suggestion: null };
const price = { from: '2026-01-01T00:00:00Z', input: 1, output: 5, cache_read: 0.1, cache_write: 1.25, cache_write_1h: 2, web_search: 10 };
const known: AvailableModel = {
  ...unknown,
  model: 'big-1',
  suggestion: {
    id: 'big',
    name: 'Big',
    context_window: 200_000,
    max_output_tokens: 64_000,
    capabilities: ['vision', 'embedding'],
    prices: [price],
  },
};
const added = (of: AvailableModel, its: Partial<ModelDraft> = {}) => creationOfModel('ours', of, { ...draftFor(of, NONE), ...its }, NOW);

describe('the form for a model', () => {
  it('starts with what the catalogue suggests', () => {
    const { capabilities, others, ...rest } = draftFor(known, NONE);
    expect(rest).toEqual({ id: 'big', name: 'Big', contextWindow: 200_000, maxOutput: 64_000, input: 1, output: 5 });
    expect([[...capabilities], others]).toEqual([['vision'], 'embedding']);
  });
  it('starts with the name of an unknown model, without prices', () => {
    expect(draftFor(unknown, NONE)).toMatchObject({ id: 'qwen3:32b', name: 'qwen3:32b', input: Number.NaN, maxOutput: Number.NaN });
  });
  it('starts with a valid ID that no model has', () => {
    expect(draftFor({ ...unknown, model: '~my model' }, new Set(['my-model'])).id).toBe('my-model-2');
  });
  it('says what is missing or wrong', () => {
    const wrong = { ...draftFor(unknown, NONE), id: '', name: ' ', contextWindow: 0, maxOutput: 1.5, others: 'Two words', input: 1 };
    expect([...modelProblems(wrong, NONE)]).toEqual(['id', 'name', 'contextWindow', 'maxOutput', 'others', 'prices']);
    expect([...modelProblems(draftFor(unknown, NONE), new Set(['qwen3:32b']))]).toEqual(['idTaken']);
    expect([...modelProblems(draftFor(unknown, NONE), NONE)]).toEqual([]);
  });
});

describe('an added model', () => {
  it('has the suggested prices', () => {
    expect(added(known)).toEqual({
      id: 'big',
      provider: 'ours',
      model: 'big-1',
      name: 'Big',
      context_window: 200_000,
      max_output_tokens: 64_000,
      capabilities: ['vision', 'embedding'],
      prices: [price],
    });
  });
  it('has no suggested prices of caches beside other prices', () => {
    expect(added(known, { input: 2 }).prices).toEqual([{ from: '2026-11-28T00:00:00Z', input: 2, output: 5, web_search: 10 }]);
  });
  it('is free without prices, and has entered ones at once', () => {
    expect(added(unknown).prices).toEqual([]);
    expect(added(unknown, { input: 1, output: 2 }).prices).toEqual([{ from: '2026-11-28T00:00:00Z', input: 1, output: 2 }]);
  });
});
