import type { AvailableModel } from '../model-fields/model-draft.ts';

/** The models whose names contain all words of a search. Those with suggested prices are first, in the order of the provider. */
export function matchingModels(models: readonly AvailableModel[], search: string): readonly AvailableModel[] {
  const words = search.toLowerCase().split(/\s+/);
  const found = models.filter(({ model, name, suggestion }) => {
    const text = `${model} ${name ?? ''} ${suggestion?.name ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...found.filter(({ suggestion }) => suggestion !== null), ...found.filter(({ suggestion }) => suggestion === null)];
}
