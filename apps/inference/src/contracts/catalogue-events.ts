import type { ModelChanged, ModelProviderChanged, ModelRouteChanged } from '@parlance/contracts';
import type { CatalogueEvent } from '../domain/catalogue/managed-catalogue.ts';

type Of<Prefix extends string> = Extract<CatalogueEvent, { type: `${Prefix}${'Added' | 'Changed' | 'Removed'}` }>;

export function providerFields(event: Of<'ModelProvider'>): ModelProviderChanged {
  const { id: provider } = event;
  if (event.type === 'ModelProviderRemoved') return { provider, change: 'removed' };
  const { terms, credentials } = event;
  return {
    provider,
    change: event.type === 'ModelProviderAdded' ? 'added' : 'changed',
    api: terms.type,
    base_url: terms.baseUrl,
    credentials: credentials === null ? 'none' : credentials ? 'set' : 'kept',
  };
}

export function modelFields(event: Of<'Model'>): ModelChanged {
  const { id: model } = event;
  if (event.type === 'ModelRemoved') return { model, change: 'removed' };
  const { provider, model: provider_model } = event.terms;
  return { model, change: event.type === 'ModelAdded' ? 'added' : 'changed', provider, provider_model };
}

export function routeFields(event: Of<'ModelRoute'>): ModelRouteChanged {
  const { id: route } = event;
  if (event.type === 'ModelRouteRemoved') return { route, change: 'removed' };
  const { strategy, targets, fallbacks } = event.terms;
  const models = [...targets.map(({ model }) => model), ...fallbacks];
  return { route, change: event.type === 'ModelRouteAdded' ? 'added' : 'changed', strategy, models };
}
