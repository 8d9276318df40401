import { type ModelCatalogue, type WholeCatalogue, wholeCatalogue } from '@parlance/config';
import type { ConfiguredNames } from '../../domain/catalogue/managed-catalogue.ts';
import type { ManagedParts } from './managed-parts.ts';

/** Where a provider, a model or a route comes from. Only what is `managed` can be changed while Parlance runs. */
export type Source = 'configuration' | 'built_in' | 'managed';

export interface MergedCatalogue extends WholeCatalogue {
  readonly sources: Readonly<Record<'providers' | 'models' | 'routes', ReadonlyMap<string, Source>>>;
}

/** The names of the configuration, and the names of the built-in catalogue where it applies. */
export function configuredNames(configured: ModelCatalogue | null): ConfiguredNames {
  const whole = wholeCatalogue(configured);
  const own = {
    providers: Object.keys(configured?.providers ?? {}),
    models: (configured?.models ?? []).map(({ id }) => id),
    routes: whole.routes.map(({ id }) => id),
  };
  const builtIn = {
    providers: Object.keys(whole.providers).filter((id) => !own.providers.includes(id)),
    models: whole.models.map(({ id }) => id).filter((id) => !own.models.includes(id)),
  };
  return { ...own, builtIn };
}

/**
 * The configuration comes first, then what administrators have added, then the built-in catalogue. An ID that several of them have is taken from the
 * first, so that a configuration can name later what was added before.
 */
export function mergedCatalogue(configured: ModelCatalogue | null, managed: ManagedParts): MergedCatalogue {
  const whole = wholeCatalogue(configured);
  const names = configuredNames(configured);
  const isOwn = (kind: 'providers' | 'models' | 'routes', id: string): boolean => names[kind].includes(id);
  const added = Object.fromEntries(Object.entries(managed.providers).filter(([id]) => !isOwn('providers', id)));
  // A model and a route must not have the same name.
  const models = managed.models.filter(({ id }) => !isOwn('models', id) && !isOwn('routes', id));
  const ids = new Set([...names.models, ...models.map(({ id }) => id), ...names.builtIn.models]);
  const routes = managed.routes.filter(({ id }) => !isOwn('routes', id) && !ids.has(id));
  const replaced = new Set(models.map(({ id }) => id));
  const own = whole.models.filter(({ id }) => isOwn('models', id));
  const builtIn = whole.models.filter(({ id }) => !isOwn('models', id) && !replaced.has(id));
  return {
    ...whole,
    providers: { ...whole.providers, ...added },
    models: [...own, ...models, ...builtIn],
    routes: [...whole.routes, ...routes],
    sources: {
      providers: sources(Object.keys(whole.providers), names.providers, Object.keys(added)),
      models: sources(
        whole.models.map(({ id }) => id),
        names.models,
        models.map(({ id }) => id),
      ),
      routes: sources(
        names.routes,
        names.routes,
        routes.map(({ id }) => id),
      ),
    },
  };
}

function sources(whole: readonly string[], own: readonly string[], added: readonly string[]): ReadonlyMap<string, Source> {
  const configured = whole.map((id) => [id, own.includes(id) ? 'configuration' : 'built_in'] as const);
  return new Map<string, Source>([...configured, ...added.map((id) => [id, 'managed'] as const)]);
}
