import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { catalogue } from './catalogue.ts';
import { MOST_PROVIDERS } from './catalogue-limits.ts';
import type { CatalogueCommand, CatalogueEvent, ModelTerms, ProviderTerms, RouteTerms } from './managed-catalogue.ts';

const given = specify(catalogue);

const configured = {
  providers: ['fixed'],
  models: ['fixed-model'],
  routes: ['fixed-route'],
  builtIn: { providers: ['anthropic'], models: ['claude'] },
};
const provider: ProviderTerms = {
  type: 'openai_compatible',
  baseUrl: 'https://models.example.org/v1',
  region: null,
  maxConcurrentCalls: 10,
  queueTimeoutSeconds: 30,
  firstTokenTimeoutSeconds: 120,
  tokenTimeoutSeconds: 60,
};
const model: ModelTerms = {
  provider: 'ours',
  model: 'large',
  name: null,
  contextWindow: 8_192,
  maxOutputTokens: null,
  capabilities: [],
  fallbacks: [],
};
const route: RouteTerms = { strategy: 'weighted', targets: [{ model: 'm', weight: 1 }], fallbacks: [], retries: 2, timeoutSeconds: null };
const key = (credentialsId: string) => ({ credentialsId, kind: 'api_key', sealed: `sealed-${credentialsId}` }) as const;

const providerAdded = (id = 'ours', credentials: ReturnType<typeof key> | null = null): CatalogueEvent => ({
  type: 'ModelProviderAdded',
  id,
  terms: provider,
  credentials,
});
const modelAdded = (id = 'm', terms: Partial<ModelTerms> = {}): CatalogueEvent => ({
  type: 'ModelAdded',
  id,
  terms: { ...model, ...terms },
});
const routeAdded = (id = 'r', terms: Partial<RouteTerms> = {}): CatalogueEvent => ({
  type: 'ModelRouteAdded',
  id,
  terms: { ...route, ...terms },
});

const addProvider = (id = 'ours'): CatalogueCommand => ({ type: 'AddProvider', id, terms: provider, credentials: null, configured });
const addModel = (id = 'm', terms: Partial<ModelTerms> = {}): CatalogueCommand => ({
  type: 'AddModel',
  id,
  terms: { ...model, ...terms },
  configured,
});
const addRoute = (id = 'r', terms: Partial<RouteTerms> = {}): CatalogueCommand => ({
  type: 'AddRoute',
  id,
  terms: { ...route, ...terms },
  configured,
});

describe('adding a provider', () => {
  it('is recorded', () => given().when(addProvider()).emits(providerAdded()));
  it('can give a built-in one credentials', () => given().when(addProvider('anthropic')).emits(providerAdded('anthropic')));
  it('is refused for an ID of the configuration', () => given().when(addProvider('fixed')).refuses('provider_read_only'));
  it('is refused for an ID that was added', () => given(providerAdded()).when(addProvider()).refuses('provider_exists'));
  it('takes the names of properties of all objects as IDs', () =>
    given().when(addProvider('constructor')).emits(providerAdded('constructor')));
  it('is refused past the limit', () =>
    given(...Array.from({ length: MOST_PROVIDERS }, (_, index) => providerAdded(`p${index}`)))
      .when(addProvider())
      .refuses('too_many_providers'));
});

describe('changing a provider', () => {
  const change = (more: Partial<Extract<CatalogueCommand, { type: 'ChangeProvider' }>>): CatalogueCommand => ({
    type: 'ChangeProvider',
    id: 'ours',
    changes: {},
    configured,
    ...more,
  });
  const withKey = providerAdded('ours', key('one'));

  it('keeps its credentials', () => {
    const changed: CatalogueEvent = { type: 'ModelProviderChanged', id: 'ours', terms: { ...provider, maxConcurrentCalls: 5 } };
    given(withKey)
      .when(change({ changes: { maxConcurrentCalls: 5 } }))
      .emits(changed);
    expect(fold(catalogue, [withKey, changed]).providers['ours']?.credentials).toEqual(key('one'));
  });
  it('names the credentials that new ones replace', () =>
    given(withKey)
      .when(change({ credentials: key('two') }))
      .emits({ type: 'ModelProviderChanged', id: 'ours', terms: provider, credentials: key('two'), replaced: 'one' }));
  it.each([{ baseUrl: 'https://elsewhere.example.org' }, { type: 'openai' as const }])('to %j needs the credentials again', (changes) => {
    given(withKey).when(change({ changes })).refuses('credentials_needed');
    given(providerAdded())
      .when(change({ changes }))
      .emits({ type: 'ModelProviderChanged', id: 'ours', terms: { ...provider, ...changes } });
  });
  it('does nothing if nothing differs', () =>
    given(withKey)
      .when(change({ changes: { region: null } }))
      .emits());
  it('is refused for another version, for one of the configuration, and for an unknown one', () => {
    const changes = { maxConcurrentCalls: 5 };
    given(withKey)
      .when(change({ changes, ifVersion: 2 }))
      .refuses('version_stale');
    given(withKey)
      .when(change({ id: 'fixed', changes }))
      .refuses('provider_read_only');
    given().when(change({ changes })).refuses('provider_not_found');
  });
});

describe('removing a provider', () => {
  const remove: CatalogueCommand = { type: 'RemoveProvider', id: 'ours', configured };
  it('names its credentials', () =>
    given(providerAdded('ours', key('one')))
      .when(remove)
      .emits({ type: 'ModelProviderRemoved', id: 'ours', replaced: 'one' }));
  it('is refused while it has models', () => given(providerAdded(), modelAdded()).when(remove).refuses('provider_in_use'));
  it('is possible after its models were removed', () =>
    given(providerAdded(), modelAdded(), { type: 'ModelRemoved', id: 'm' })
      .when(remove)
      .emits({ type: 'ModelProviderRemoved', id: 'ours' }));
  it('is possible when a later configuration has the ID too', () =>
    given(providerAdded('fixed'))
      .when({ ...remove, id: 'fixed' })
      .emits({ type: 'ModelProviderRemoved', id: 'fixed' }));
});

describe('adding a model', () => {
  it.each(['ours', 'fixed', 'anthropic'])('is possible for every provider of the catalogue (%s)', (name) =>
    given(providerAdded())
      .when(addModel('m', { provider: name }))
      .emits(modelAdded('m', { provider: name })),
  );
  it('is refused without its provider', () => given().when(addModel()).refuses('unknown_provider'));
  it('is refused with a fallback that does not exist, or to itself', () => {
    given(providerAdded())
      .when(addModel('m', { fallbacks: ['none'] }))
      .refuses('unknown_model');
    given(providerAdded())
      .when(addModel('m', { fallbacks: ['m'] }))
      .refuses('model_named_twice');
    given(providerAdded())
      .when(addModel('m', { fallbacks: ['claude'] }))
      .emits(modelAdded('m', { fallbacks: ['claude'] }));
  });
  it('is refused for an ID of the configuration, of a model and of a route', () => {
    given(providerAdded()).when(addModel('fixed-model')).refuses('model_read_only');
    given(providerAdded()).when(addModel('fixed-route')).refuses('model_name_taken');
    given(providerAdded(), modelAdded()).when(addModel()).refuses('model_exists');
    given(providerAdded(), modelAdded(), routeAdded()).when(addModel('r')).refuses('model_name_taken');
  });
});

describe('changing a model', () => {
  const change: CatalogueCommand = { type: 'ChangeModel', id: 'm', changes: { provider: 'none' }, configured };
  it('is refused if it would then refer to nothing', () => given(providerAdded(), modelAdded()).when(change).refuses('unknown_provider'));
  it.each(['fixed-model', 'claude'])('is refused for one that nobody has added (%s)', (id) =>
    given()
      .when({ ...change, id })
      .refuses('model_read_only'),
  );
});

describe('removing a model', () => {
  const remove = (id = 'm'): CatalogueCommand => ({ type: 'RemoveModel', id, configured });
  it.each<[string, CatalogueEvent]>([
    ['target', routeAdded()],
    ['fallback', routeAdded('r', { targets: [{ model: 'claude', weight: 1 }], fallbacks: ['m'] })],
    ['fallback of a model', modelAdded('n', { fallbacks: ['m'] })],
  ])('is refused while it is a %s', (_, user) => given(providerAdded(), modelAdded(), user).when(remove()).refuses('model_in_use'));
  it('is possible after the route was removed', () =>
    given(providerAdded(), modelAdded(), routeAdded(), { type: 'ModelRouteRemoved', id: 'r' })
      .when(remove())
      .emits({ type: 'ModelRemoved', id: 'm' }));
  it('leaves a built-in one in its place', () =>
    given(providerAdded(), modelAdded('claude'), routeAdded('r', { targets: [{ model: 'claude', weight: 1 }] }))
      .when(remove('claude'))
      .emits({ type: 'ModelRemoved', id: 'claude' }));
});

describe('adding a route', () => {
  const models = [providerAdded(), modelAdded()];
  it('is recorded', () =>
    given(...models)
      .when(addRoute())
      .emits(routeAdded()));
  it.each<[CatalogueCommand, string]>([
    [addRoute('m'), 'model_name_taken'],
    [addRoute('claude'), 'model_name_taken'],
    [addRoute('fixed-route'), 'route_read_only'],
    [addRoute('r', { fallbacks: ['none'] }), 'unknown_model'],
    [addRoute('r', { fallbacks: ['m'] }), 'model_named_twice'],
  ])('is refused if a name is taken, unknown or repeated (%#)', (command, code) =>
    given(...models)
      .when(command)
      .refuses(code),
  );
});

describe('the version of a part', () => {
  it.each<[string, CatalogueCommand]>([
    ['change a provider', { type: 'ChangeProvider', id: 'ours', changes: { maxConcurrentCalls: 5 }, configured }],
    ['remove a provider', { type: 'RemoveProvider', id: 'ours', configured }],
    ['change a model', { type: 'ChangeModel', id: 'm', changes: { name: 'M' }, configured }],
    ['remove a model', { type: 'RemoveModel', id: 'm', configured }],
    ['change a route', { type: 'ChangeRoute', id: 'r', changes: { retries: 0 }, configured }],
    ['remove a route', { type: 'RemoveRoute', id: 'r', configured }],
  ])('has to be the current one to %s', (_, command) =>
    given(providerAdded(), modelAdded(), routeAdded())
      .when({ ...command, ifVersion: 4 } as CatalogueCommand)
      .refuses('version_stale'),
  );
  it('never returns to an earlier one', () => {
    const { providers } = fold(catalogue, [providerAdded(), { type: 'ModelProviderRemoved', id: 'ours' }, providerAdded()]);
    expect(providers['ours']?.version).toBe(3);
  });
});
