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

export const canReason = (model: GlobalModel | null): boolean => model?.capabilities.includes('reasoning') ?? false;
export const canSee = (model: GlobalModel | null): boolean => model?.capabilities.includes('vision') ?? false;
