import type { ChangeRouteBody, ModelRoute, NewRouteBody } from '@parlance/client/types';
import { CATALOGUE_NAME } from '../providers/provider-draft.ts';

export type Strategy = ModelRoute['strategy'];
export const STRATEGIES: readonly Strategy[] = ['weighted', 'fastest', 'least_busy', 'cheapest'];

export const MOST_TARGETS = 20;
export const MOST_FALLBACKS = 10;
const MOST_WEIGHT = 1_000;
const MOST_RETRIES = 10;
const MOST_SECONDS = 3_600;

/** What is entered for a route. Missing numbers are NaN. */
export interface RouteDraft {
  readonly id: string;
  readonly strategy: Strategy;
  readonly targets: readonly string[];
  readonly weights: Readonly<Record<string, number>>;
  readonly fallbacks: readonly string[];
  readonly retries: number;
  readonly timeout: number;
}

export type RouteProblem = 'id' | 'idTaken' | 'targets' | 'weights' | 'twice' | 'retries' | 'timeout';

/** `route`: null for a new one. */
export const routeDraft = (route: ModelRoute | null): RouteDraft => ({
  id: route?.id ?? '',
  strategy: route?.strategy ?? 'weighted',
  targets: route?.targets.map(({ model }) => model) ?? [],
  weights: Object.fromEntries(route?.targets.map(({ model, weight }) => [model, weight]) ?? []),
  fallbacks: route?.fallbacks ?? [],
  retries: route?.retries ?? 2,
  timeout: route?.timeout_seconds ?? Number.NaN,
});

const isWhole = (n: number, least: number, most: number): boolean => Number.isInteger(n) && n >= least && n <= most;

export const weightOf = ({ weights }: RouteDraft, model: string): number => weights[model] ?? 1;

/** What is missing or wrong. `taken`: the IDs of models and routes; null for a route that is changed. */
export function routeProblems(draft: RouteDraft, taken: ReadonlySet<string> | null): ReadonlySet<RouteProblem> {
  const { id, strategy, targets, fallbacks, retries, timeout } = draft;
  const problems = new Set<RouteProblem>();
  if (taken !== null && !CATALOGUE_NAME.test(id)) problems.add('id');
  if (taken?.has(id)) problems.add('idTaken');
  if (targets.length === 0) problems.add('targets');
  if (strategy === 'weighted' && !targets.every((model) => isWhole(weightOf(draft, model), 1, MOST_WEIGHT))) problems.add('weights');
  if (targets.some((model) => fallbacks.includes(model))) problems.add('twice');
  if (!isWhole(retries, 0, MOST_RETRIES)) problems.add('retries');
  if (!Number.isNaN(timeout) && !isWhole(timeout, 1, MOST_SECONDS)) problems.add('timeout');
  return problems;
}

/** Weights that are not used are sent only if they are valid. */
export const changeOfRoute = (draft: RouteDraft): ChangeRouteBody & Pick<NewRouteBody, 'targets'> => ({
  strategy: draft.strategy,
  targets: draft.targets.map((model) => {
    const weight = weightOf(draft, model);
    return { model, weight: isWhole(weight, 1, MOST_WEIGHT) ? weight : 1 };
  }),
  fallbacks: [...draft.fallbacks],
  retries: draft.retries,
  timeout_seconds: Number.isNaN(draft.timeout) ? null : draft.timeout,
});

export const creationOfRoute = (draft: RouteDraft): NewRouteBody => ({ id: draft.id, ...changeOfRoute(draft) });
