import { IsOptional } from 'class-validator';
import type { Objection } from './embedding-model.ts';
import { Key } from './fields.ts';
import type { WholeCatalogue } from './model-catalogue.ts';
import { ListOf, modelName, ModelName, Nested, OneOf, Whole } from './rules.ts';

export const ROUTE_STRATEGIES = ['weighted', 'fastest', 'least_busy', 'cheapest'] as const;
export type RouteStrategy = (typeof ROUTE_STRATEGIES)[number];

const MOST_TARGETS = 20;
const MOST_FALLBACKS = 10;

export class RouteTarget {
  @Key('Model ID.') @ModelName() readonly model!: string;
  @Key('Share of the calls, relative to the other targets, with the strategy `weighted`.') @Whole(1, 1_000) readonly weight: number = 1;
}

/** A name that stands for several models, for calls of programs. */
export class ModelRoute {
  @Key('Name that programs use as the model.') @ModelName() readonly id!: string;
  @Key(
    'Which target is called first: by `weight`, with the shortest time to the first byte, with the fewest calls, or at the lowest price.',
  )
  @OneOf(...ROUTE_STRATEGIES)
  readonly strategy: RouteStrategy = 'weighted';
  @Key('Models that may answer.')
  @Nested(RouteTarget, 'list')
  readonly targets: readonly RouteTarget[] = [];
  @Key('Models to call when the targets have failed, in order.')
  @ListOf(`at most ${MOST_FALLBACKS} model ids`, (id) => modelName.test(id))
  readonly fallbacks: readonly string[] = [];
  @Key('How many more times targets are called when a call fails before the first byte of its answer.')
  @Whole(0, 10)
  readonly retries: number = 2;
  @Key(
    'Time limit for the first byte of an answer, in seconds. Default: the limit of the provider for the first token, which always applies.',
  )
  @IsOptional()
  @Whole(1, 3_600)
  readonly timeout_seconds: number | null = null;
}

/** An error for a route that has the name of another one or of a model, or that refers to a model that the catalogue does not contain. */
export function routeObjection({ routes, models }: WholeCatalogue): Objection | null {
  const ids = models.map(({ id }) => id);
  const names = new Set(ids);
  for (const [index, { id, targets, fallbacks }] of routes.entries()) {
    const path = `models.routes.${index}`;
    if (names.has(id)) return { path: `${path}.id`, value: id, allowed: 'a name that no model and no other route has' };
    names.add(id);
    if (targets.length === 0 || targets.length > MOST_TARGETS)
      return { path: `${path}.targets`, value: targets.length, allowed: `a list of 1 to ${MOST_TARGETS} targets` };
    if (fallbacks.length > MOST_FALLBACKS)
      return { path: `${path}.fallbacks`, value: fallbacks.length, allowed: `a list of at most ${MOST_FALLBACKS} model ids` };
    const called = [...targets.map(({ model }) => model), ...fallbacks];
    for (const [at, model] of called.entries()) {
      const where = at < targets.length ? `${path}.targets.${at}.model` : `${path}.fallbacks`;
      if (!ids.includes(model)) return { path: where, value: model, allowed: `one of the models of the catalogue: ${ids.join(', ')}` };
      if (called.indexOf(model) !== at) return { path: where, value: model, allowed: 'a model that the route does not name yet' };
    }
  }
  return null;
}
