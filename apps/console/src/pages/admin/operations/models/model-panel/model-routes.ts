import type { Model, ModelRoute } from '@parlance/client/types';

/** The API takes 50 IDs: the model and its routes. */
const MOST_ROUTES = 49;

/** The routes through which a model is called. A token that names one of them may use the model through it. */
export const routesTo = (modelId: string, routes: readonly Pick<ModelRoute, 'id' | 'targets' | 'fallbacks'>[]): readonly string[] =>
  routes
    .filter(({ targets, fallbacks }) => fallbacks.includes(modelId) || targets.some(({ model }) => model === modelId))
    .map(({ id }) => id)
    .slice(0, MOST_ROUTES);

/** The models that are replaced by this one when they fail. */
export const replacedBy = <Each extends Pick<Model, 'fallbacks'>>(modelId: string, models: readonly Each[]): readonly Each[] =>
  models.filter(({ fallbacks }) => fallbacks.includes(modelId));
