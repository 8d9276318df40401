import type { GlobalConfig, GlobalModel } from '@parlance/client/types';

interface OfBot {
  readonly active_models: readonly string[];
  readonly default_model: string | null;
}

/** The models that may be chosen for a chat. */
export function choosable({ global_available_models }: Pick<GlobalConfig, 'global_available_models'>, bot: OfBot | null): GlobalModel[] {
  const allowed = bot?.active_models ?? [];
  return global_available_models.filter(({ id, available }) => available && (allowed.length === 0 || allowed.includes(id)));
}

/** The first preferred model that is available, otherwise the first model. Null if there is none. */
export function modelFor(models: readonly GlobalModel[], ...wishes: readonly (string | null | undefined)[]): GlobalModel | null {
  for (const wish of wishes) {
    const model = models.find(({ id }) => id === wish);
    if (model) return model;
  }
  return models[0] ?? null;
}

/** The number of models that one message can be sent to. */
export const [LEAST_COMPARED, MOST_COMPARED] = [2, 3];

/** The chosen models to compare, in the order of the choice. None if too few can be used. */
export function comparedModels(models: readonly GlobalModel[], chosen: readonly string[]): readonly GlobalModel[] {
  const compared = chosen.flatMap((id) => models.find((model) => model.id === id) ?? []);
  return compared.length < LEAST_COMPARED ? [] : compared.slice(0, MOST_COMPARED);
}

export const canReason = (model: GlobalModel | null): boolean => model?.capabilities.includes('reasoning') ?? false;
export const canSee = (model: GlobalModel | null): boolean => model?.capabilities.includes('vision') ?? false;
