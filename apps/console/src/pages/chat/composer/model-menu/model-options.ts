import type { GlobalModel } from '@parlance/client/types';

/** Why a model cannot be used. */
type Obstacle = 'no_provider' | 'not_of_bot';

export interface ModelOption {
  readonly model: GlobalModel;
  /** Null if the model can be used. */
  readonly obstacle: Obstacle | null;
}

/** All models in their order, those that can be used first. `usable`: the models that may be chosen. */
export function modelOptions(all: readonly GlobalModel[], usable: readonly GlobalModel[]): readonly ModelOption[] {
  const ids = new Set(usable.map(({ id }) => id));
  const options = all.map((model): ModelOption => {
    if (ids.has(model.id)) return { model, obstacle: null };
    return { model, obstacle: model.available ? 'not_of_bot' : 'no_provider' };
  });
  return options.toSorted((one, other) => Number(one.obstacle !== null) - Number(other.obstacle !== null));
}
