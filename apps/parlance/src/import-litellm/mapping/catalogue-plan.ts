import { modelName, type RouteStrategy } from '@parlance/config';
import type { Report } from '../report.ts';
import type { LiteLlmConfig } from '../source/config-file.ts';
import { listOf, mapOf, numberOf, textOf, textsOf } from '../source/fields.ts';
import { mappedDeployment, type ModelTerms, type ProviderTerms } from './deployment.ts';
import { fallbacksIn } from './fallbacks.ts';
import { leftOutOfDeployment, leftOutOfSettings, reasonOfPart } from './left-out.ts';
import { sameSetting } from './settings.ts';
import { type Weighted, weightsOf } from './weights.ts';

export interface ProviderPlan extends ProviderTerms {
  readonly id: string;
}

export interface ModelPlan extends ModelTerms {
  readonly id: string;
  /** The `id` of the plan of its provider. */
  readonly provider: string;
}

export interface RoutePlan {
  readonly id: string;
  readonly strategy: RouteStrategy;
  readonly targets: readonly { readonly model: string; readonly weight: number }[];
  readonly fallbacks: readonly string[];
  readonly retries: number | null;
}

export interface CataloguePlan {
  readonly providers: readonly ProviderPlan[];
  readonly models: readonly ModelPlan[];
  readonly routes: readonly RoutePlan[];
  /** The names of LiteLLM's access groups, with the names of their models. */
  readonly accessGroups: ReadonlyMap<string, readonly string[]>;
}

const STRATEGIES: Readonly<Record<string, RouteStrategy>> = {
  'simple-shuffle': 'weighted',
  'least-busy': 'least_busy',
  'latency-based-routing': 'fastest',
  'cost-based-routing': 'cheapest',
};
/** They have no equal in Parlance. */
const NEAR: Readonly<Record<string, RouteStrategy>> = { 'usage-based-routing': 'least_busy', 'usage-based-routing-v2': 'least_busy' };
const MOST_TARGETS = 20;
const MOST_FALLBACKS = 10;
const MOST_RETRIES = 10;

interface Member extends Weighted {
  readonly provider: string;
  readonly model: ModelTerms;
}

/** What LiteLLM's configuration becomes in Parlance. Everything that is left out is reported by name. */
export function cataloguePlan(config: LiteLlmConfig, report: Report): CataloguePlan {
  for (const position of config.unreadable)
    report.leave('model', `entry ${position} of model_list`, 'It needs model_name, and litellm_params with model.');
  for (const part of config.others) report.leave('setting', part, reasonOfPart(part));
  for (const { setting, reason } of leftOutOfSettings(config.settings)) report.leave('setting', `litellm_settings.${setting}`, reason);
  for (const { setting, reason } of leftOutOfSettings(config.router)) report.leave('setting', `router_settings.${setting}`, reason);
  const providers: ProviderPlan[] = [];
  const accessGroups = new Map<string, string[]>();
  const groups = new Map<string, Member[]>();
  for (const deployment of config.deployments) {
    const { modelName: name, position, params, info } = deployment;
    const mapped = mappedDeployment(deployment);
    const label = `${name} (entry ${position})`;
    if ('reason' in mapped) {
      report.leave('model', label, mapped.reason);
      const wildcardProvider =
        wildcardOf(params['model']) &&
        mappedDeployment({ ...deployment, modelName: 'all', params: { ...params, model: withoutStar(params['model']) } });
      if (wildcardProvider && !('reason' in wildcardProvider)) providerFor(providers, wildcardProvider);
      continue;
    }
    if (!modelName.test(name) || !modelName.test(mapped.model.model)) {
      report.leave('model', label, 'Names in Parlance have letters, digits and . _ : / @ - only. Rename it first.');
      continue;
    }
    for (const { setting, reason } of leftOutOfDeployment(params)) report.change('model', label, setting, reason);
    const provider = providerFor(providers, mapped).id;
    const members = groups.get(name) ?? groups.set(name, []).get(name)!;
    members.push({
      provider,
      model: mapped.model,
      weight: numberOf(params['weight']),
      rpm: numberOf(params['rpm']),
      tpm: numberOf(params['tpm']),
    });
    for (const group of textsOf(info['access_groups'])) accessGroups.set(group, [...new Set([...(accessGroups.get(group) ?? []), name])]);
  }
  return { providers, ...modelsAndRoutes(groups, config, report), accessGroups };
}

const wildcardOf = (model: unknown): boolean => typeof model === 'string' && /^[a-z_]+\/\*$/.test(model);
const withoutStar = (model: unknown): string => String(model).replace('*', 'all');

/** Deployments with the same address and the same keys share a provider. */
function providerFor(
  providers: ProviderPlan[],
  { prefix, provider }: { readonly prefix: string; readonly provider: ProviderTerms },
): ProviderPlan {
  const isSame = (other: ProviderPlan) =>
    other.type === provider.type &&
    sameSetting(other.region, provider.region) &&
    JSON.stringify([other.address, other.credentials]) === JSON.stringify([provider.address, provider.credentials]);
  const found = providers.find(isSame);
  if (found) return found;
  const base = prefix.replaceAll('_', '-');
  let id = base;
  for (let count = 2; providers.some((other) => other.id === id); count++) id = `${base}-${count}`;
  const made = { id, ...provider };
  providers.push(made);
  return made;
}

function modelsAndRoutes(groups: ReadonlyMap<string, readonly Member[]>, config: LiteLlmConfig, report: Report) {
  const { router, settings } = config;
  const fallbacks = fallbacksIn(router, settings);
  const aliases = Object.entries(mapOf(router['model_group_alias'])).map(
    ([alias, of]) => [alias, textOf(of) ?? textOf(mapOf(of)['model'])] as const,
  );
  const models: ModelPlan[] = [];
  const targets = new Map<string, RoutePlan['targets']>();
  const asked = textOf(router['routing_strategy']) ?? 'simple-shuffle';
  const strategy = STRATEGIES[asked] ?? NEAR[asked] ?? 'weighted';
  for (const [name, members] of groups) {
    const different = distinct(members);
    const isModel = different.length === 1 && fallbacks.of(name).length === 0;
    const ids = isModel ? [name] : uniqueIds(name, different, models);
    different.forEach(({ provider, model }, index) => models.push({ id: ids[index]!, provider, ...model }));
    const { weights, left } = weightsOf(different);
    for (const index of left) report.change('route', name, ids[index]!, 'It has the weight 0, so it is not a target of the route.');
    targets.set(
      name,
      ids.flatMap((model, index) => (weights[index]! > 0 ? [{ model, weight: weights[index]! }] : [])),
    );
  }
  const retries = numberOf(router['num_retries'] ?? settings['num_retries']);
  const modelIds = new Set(models.map(({ id }) => id));
  const routes: RoutePlan[] = [];
  const addRoute = (id: string, of: string) => {
    const own = targets.get(of)!;
    const named = fallbacks.of(of).flatMap((name) => {
      const found = targets.get(name);
      if (!found) report.change('route', id, `fallback ${name}`, 'There is no such model in what is taken over.');
      return found?.map(({ model }) => model) ?? [];
    });
    const later = [...new Set(named)].filter((model) => !own.some((target) => target.model === model));
    if (own.length > MOST_TARGETS)
      report.change('route', id, 'targets', `A route has ${MOST_TARGETS} targets at most. The others are left out.`);
    if (later.length > MOST_FALLBACKS)
      report.change('route', id, 'fallbacks', `A route has ${MOST_FALLBACKS} fallbacks at most. The others are left out.`);
    if (NEAR[asked] && own.length > 1)
      report.change('route', id, 'routing_strategy', `Parlance has no ${asked}. The nearest is ${strategy}.`);
    routes.push({
      id,
      strategy,
      targets: own.slice(0, MOST_TARGETS),
      fallbacks: later.slice(0, MOST_FALLBACKS),
      retries: retries === null ? null : Math.min(MOST_RETRIES, Math.max(0, Math.floor(retries))),
    });
  };
  if (!STRATEGIES[asked] && !NEAR[asked])
    report.leave('setting', 'router_settings.routing_strategy', `${asked} is unknown. Routes are weighted.`);
  for (const name of groups.keys()) if (!modelIds.has(name) && targets.get(name)!.length > 0) addRoute(name, name);
  for (const [alias, of] of aliases) {
    if (of === null || !targets.has(of)) report.leave('route', alias, `It is an alias of ${of ?? 'nothing'}, which is not taken over.`);
    else if (groups.has(alias) || !modelName.test(alias))
      report.leave('route', alias, 'Its name is the name of a model, or has characters that names in Parlance cannot have.');
    else addRoute(alias, of);
  }
  return { models, routes };
}

/** Deployments that differ only in their limits are one target, with all of their weights. */
function distinct(members: readonly Member[]): readonly Member[] {
  const sum = (one: number | null, other: number | null) => (one === null && other === null ? null : (one ?? 0) + (other ?? 0));
  const found: Member[] = [];
  for (const member of members) {
    const index = found.findIndex(({ provider, model }) => provider === member.provider && model.model === member.model.model);
    const same = found[index];
    if (!same) found.push(member);
    else
      found[index] = { ...same, weight: sum(same.weight, member.weight), rpm: sum(same.rpm, member.rpm), tpm: sum(same.tpm, member.tpm) };
  }
  return found;
}

function uniqueIds(name: string, members: readonly Member[], models: readonly ModelPlan[]): readonly string[] {
  const ids: string[] = [];
  for (const { provider } of members) {
    const base = `${name}@${provider}`;
    let id = base;
    for (let count = 2; ids.includes(id) || models.some((model) => model.id === id); count++) id = `${base}-${count}`;
    ids.push(id);
  }
  return ids;
}

/** `litellm_settings.cache` as a term of tokens, in seconds; 0 if it is off or has no equal. */
export function cacheSeconds(settings: LiteLlmConfig['settings'], longest: number, report: Report): number {
  if (settings['cache'] !== true) return 0;
  const params = mapOf(settings['cache_params']);
  const [seconds, type] = [numberOf(params['ttl']), textOf(params['type']) ?? 'local'];
  const name = 'litellm_settings.cache';
  const leave = (reason: string) => {
    report.leave('setting', name, reason);
    return 0;
  };
  if (/semantic/.test(type)) return leave('Parlance has no semantic cache, only answers to exactly the same call.');
  if (params['mode'] === 'default_off') return leave('It is off by default. Programs ask for it with the header x-parlance-cache.');
  if (listOf(params['supported_call_types']).length > 0) return leave('It is for some endpoints only. Set cache_ttl_seconds of tokens.');
  if (seconds === null || seconds < 1) return leave('It has no ttl. Set cache_ttl_seconds of tokens.');
  const most = Math.min(longest, Math.floor(seconds));
  report.change(
    'setting',
    name,
    'cache_params',
    `Each token caches answers for ${most} seconds, in the memory of Parlance, and for its owner only.`,
  );
  return most;
}
