import type { Decider, Decision, Refusal } from '@parlance/decider';
import { MOST_MODELS, MOST_PROVIDERS, MOST_ROUTES } from './catalogue-limits.ts';
import {
  credentialsNeeded,
  exists,
  modelInUse,
  named,
  nameTaken,
  notFound,
  providerInUse,
  readOnly,
  stale,
  tooMany,
  unknownReference,
} from './catalogue-refusals.ts';
import {
  type CatalogueCommand,
  type CatalogueEvent,
  type ConfiguredNames,
  type ManagedCatalogue,
  type ManagedModel,
  type ManagedProvider,
  type ManagedRoute,
  type ModelCommand,
  type ModelTerms,
  NOTHING_MANAGED,
  type ProviderCommand,
  type ProviderTerms,
  type RouteCommand,
  type RouteTerms,
} from './managed-catalogue.ts';

/** The providers, models and routes that administrators add while Parlance runs. They are in one stream, because they refer to each other. */
export const catalogue: Decider<CatalogueCommand, CatalogueEvent, ManagedCatalogue> = {
  initialState: NOTHING_MANAGED,
  snapshots: { every: 50, shape: 'catalogue-1' },

  decide(command, state) {
    switch (command.type) {
      case 'AddProvider':
      case 'ChangeProvider':
      case 'RemoveProvider':
        return decideProvider(command, state);
      case 'AddModel':
      case 'ChangeModel':
      case 'RemoveModel':
        return decideModel(command, state);
      case 'AddRoute':
      case 'ChangeRoute':
      case 'RemoveRoute':
        return decideRoute(command, state);
    }
  },

  evolve(state, event) {
    const { providers, models, routes } = state;
    const version = state.changes + 1;
    const next = { ...state, changes: version };
    switch (event.type) {
      case 'ModelProviderAdded':
        return { ...next, providers: { ...providers, [event.id]: { ...event.terms, credentials: event.credentials, version } } };
      case 'ModelProviderChanged': {
        const credentials = event.credentials ?? own(providers, event.id)?.credentials ?? null;
        return { ...next, providers: { ...providers, [event.id]: { ...event.terms, credentials, version } } };
      }
      case 'ModelProviderRemoved':
        return { ...next, providers: without(providers, event.id) };
      case 'ModelAdded':
      case 'ModelChanged':
        return { ...next, models: { ...models, [event.id]: { ...event.terms, version } } };
      case 'ModelRemoved':
        return { ...next, models: without(models, event.id) };
      case 'ModelRouteAdded':
      case 'ModelRouteChanged':
        return { ...next, routes: { ...routes, [event.id]: { ...event.terms, version } } };
      case 'ModelRouteRemoved':
        return { ...next, routes: without(routes, event.id) };
    }
  },
};

export const CATALOGUE_STREAM = 'catalogue';

function decideProvider(command: ProviderCommand, { providers, models }: ManagedCatalogue): Decision<CatalogueEvent> {
  const { id, configured } = command;
  if (command.type === 'AddProvider') {
    if (configured.providers.includes(id)) return readOnly('provider');
    if (has(providers, id)) return exists('provider');
    if (Object.keys(providers).length >= MOST_PROVIDERS) return tooMany('provider');
    return [{ type: 'ModelProviderAdded', id, terms: command.terms, credentials: command.credentials }];
  }
  const provider = own(providers, id);
  if (!provider) return configured.providers.includes(id) ? readOnly('provider') : notFound('provider');
  if (isStale(command, provider)) return stale();
  const replaced = provider.credentials && { replaced: provider.credentials.credentialsId };
  if (command.type === 'RemoveProvider') {
    const using = Object.keys(models).filter((model) => models[model]!.provider === id);
    return using.length > 0 ? providerInUse(using) : [{ type: 'ModelProviderRemoved', id, ...replaced }];
  }
  const before = providerTerms(provider);
  const terms = { ...before, ...command.changes };
  const isElsewhere = terms.type !== before.type || terms.baseUrl !== before.baseUrl;
  if (isElsewhere && provider.credentials && !command.credentials) return credentialsNeeded();
  if (!command.credentials && isSame(terms, before)) return [];
  return [{ type: 'ModelProviderChanged', id, terms, ...(command.credentials && { credentials: command.credentials, ...replaced }) }];
}

function decideModel(command: ModelCommand, state: ManagedCatalogue): Decision<CatalogueEvent> {
  const { id, configured } = command;
  const { models, routes } = state;
  if (command.type === 'AddModel') {
    if (configured.models.includes(id)) return readOnly('model');
    if (has(models, id)) return exists('model');
    if (has(routes, id) || configured.routes.includes(id)) return nameTaken();
    if (Object.keys(models).length >= MOST_MODELS) return tooMany('model');
    return unknownIn(command.terms, id, state, configured) ?? [{ type: 'ModelAdded', id, terms: command.terms }];
  }
  const model = own(models, id);
  if (!model) return configured.models.includes(id) || configured.builtIn.models.includes(id) ? readOnly('model') : notFound('model');
  if (isStale(command, model)) return stale();
  if (command.type === 'RemoveModel') {
    // The built-in model of the same ID then takes its place.
    const using = configured.builtIn.models.includes(id) ? [] : usersOf(id, state);
    return using.length > 0 ? modelInUse(using) : [{ type: 'ModelRemoved', id }];
  }
  const before = modelTerms(model);
  const terms = { ...before, ...command.changes };
  if (isSame(terms, before)) return [];
  return unknownIn(terms, id, state, configured) ?? [{ type: 'ModelChanged', id, terms }];
}

function decideRoute(command: RouteCommand, state: ManagedCatalogue): Decision<CatalogueEvent> {
  const { id, configured } = command;
  const { routes } = state;
  if (command.type === 'AddRoute') {
    if (configured.routes.includes(id)) return readOnly('route');
    if (has(routes, id)) return exists('route');
    if (knowsModel(id, state, configured)) return nameTaken();
    if (Object.keys(routes).length >= MOST_ROUTES) return tooMany('route');
    return unknownInRoute(command.terms, state, configured) ?? [{ type: 'ModelRouteAdded', id, terms: command.terms }];
  }
  const route = own(routes, id);
  if (!route) return configured.routes.includes(id) ? readOnly('route') : notFound('route');
  if (isStale(command, route)) return stale();
  if (command.type === 'RemoveRoute') return [{ type: 'ModelRouteRemoved', id }];
  const before = routeTerms(route);
  const terms = { ...before, ...command.changes };
  if (isSame(terms, before)) return [];
  return unknownInRoute(terms, state, configured) ?? [{ type: 'ModelRouteChanged', id, terms }];
}

const providerTerms = ({ version: _, credentials: _credentials, ...terms }: ManagedProvider): ProviderTerms => terms;
const modelTerms = ({ version: _, ...terms }: ManagedModel): ModelTerms => terms;
const routeTerms = ({ version: _, ...terms }: ManagedRoute): RouteTerms => terms;

const isStale = ({ ifVersion }: { readonly ifVersion?: number | undefined }, { version }: { readonly version: number }): boolean =>
  ifVersion !== undefined && ifVersion !== version;

/** IDs such as `constructor` must not find what every object has. */
const has = (all: object, id: string): boolean => Object.hasOwn(all, id);
const own = <Value>(all: Readonly<Record<string, Value>>, id: string): Value | undefined => (has(all, id) ? all[id] : undefined);

function without<Value>(all: Readonly<Record<string, Value>>, id: string): Readonly<Record<string, Value>> {
  const { [id]: _, ...rest } = all;
  return rest;
}

const isSame = (a: object, b: object): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
const sorted = (terms: object) => Object.entries(terms).toSorted(([a], [b]) => (a < b ? -1 : 1));

const knowsModel = (id: string, { models }: ManagedCatalogue, { models: configured, builtIn }: ConfiguredNames): boolean =>
  has(models, id) || configured.includes(id) || builtIn.models.includes(id);

/** The refusal of terms that name what the catalogue does not have. */
function unknownIn(terms: ModelTerms, id: string, state: ManagedCatalogue, configured: ConfiguredNames): Refusal | null {
  const { provider, fallbacks } = terms;
  const isKnown =
    has(state.providers, provider) || configured.providers.includes(provider) || configured.builtIn.providers.includes(provider);
  if (!isKnown) return unknownReference('provider', 'provider', provider);
  if (fallbacks.includes(id)) return named('fallbacks', id);
  return unknownModel(fallbacks, 'fallbacks', state, configured);
}

function unknownInRoute({ targets, fallbacks }: RouteTerms, state: ManagedCatalogue, configured: ConfiguredNames): Refusal | null {
  const called = targets.map(({ model }) => model);
  const twice = [...called, ...fallbacks].find((model, index, all) => all.indexOf(model) !== index);
  if (twice !== undefined) return named(fallbacks.includes(twice) ? 'fallbacks' : 'targets', twice);
  return unknownModel(called, 'targets', state, configured) ?? unknownModel(fallbacks, 'fallbacks', state, configured);
}

function unknownModel(ids: readonly string[], path: string, state: ManagedCatalogue, configured: ConfiguredNames): Refusal | null {
  const unknown = ids.find((id) => !knowsModel(id, state, configured));
  return unknown === undefined ? null : unknownReference(path, 'model', unknown);
}

/** The routes and models that refer to a model. */
function usersOf(id: string, { models, routes }: ManagedCatalogue): readonly string[] {
  const inRoutes = Object.keys(routes).filter(
    (route) => routes[route]!.fallbacks.includes(id) || routes[route]!.targets.some(({ model }) => model === id),
  );
  return [...inRoutes, ...Object.keys(models).filter((model) => models[model]!.fallbacks.includes(id))];
}
