import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, publicEvent } from '../public-event.ts';
import { modelId } from './parts.ts';

const onProvider = actionOn('provider');
const onModel = actionOn('model');
const onRoute = actionOn('route');

const change = z.enum(['added', 'changed', 'removed']).describe('What the administrator did.');
const name = z.string().min(1).max(200);
const VERBS = { added: 'add', changed: 'change', removed: 'remove' } as const;

export const ModelProviderChanged = publicEvent(
  'parlance.inference.model-provider-changed.v1',
  'Published when an administrator adds, changes or removes a provider of models while Parlance runs. It never contains credentials.',
  z.strictObject({
    provider: name.describe('ID of the provider.'),
    change,
    api: name.optional().describe('API of the provider, such as `openai_compatible`. Absent when it is removed.'),
    base_url: z.string().nullable().optional().describe('Base URL; null for the default one. Absent when the provider is removed.'),
    credentials: z.enum(['none', 'kept', 'set']).optional().describe('Whether credentials were set. Absent when the provider is removed.'),
  }),
  ({ provider, change: what, ...terms }) => onProvider(`${VERBS[what]}_provider`, provider, terms),
);
export type ModelProviderChanged = DataOf<typeof ModelProviderChanged>;

export const ModelChanged = publicEvent(
  'parlance.inference.model-changed.v1',
  'Published when an administrator adds, changes or removes a model while Parlance runs.',
  z.strictObject({
    model: modelId,
    change,
    provider: name.optional().describe('ID of its provider. Absent when the model is removed.'),
    provider_model: name.optional().describe('Name of the model at its provider. Absent when the model is removed.'),
  }),
  ({ model, change: what, ...terms }) => onModel(`${VERBS[what]}_model`, model, terms),
);
export type ModelChanged = DataOf<typeof ModelChanged>;

export const ModelRouteChanged = publicEvent(
  'parlance.inference.model-route-changed.v1',
  'Published when an administrator adds, changes or removes a route, which is a name for several models, while Parlance runs.',
  z.strictObject({
    route: name.describe('ID of the route.'),
    change,
    strategy: name.optional().describe('Which target is called first. Absent when the route is removed.'),
    models: z.array(name).optional().describe('IDs of its targets and fallbacks. Absent when the route is removed.'),
  }),
  ({ route, change: what, ...terms }) => onRoute(`${VERBS[what]}_route`, route, terms),
);
export type ModelRouteChanged = DataOf<typeof ModelRouteChanged>;
