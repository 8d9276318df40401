import { describe, expect, it } from '@jest/globals';
import { type Config, loadConfig } from '@parlance/config';
import type { ManagedCatalogue } from '../../domain/catalogue/managed-catalogue.ts';
import { partsOf } from './managed-parts.ts';
import { mergedCatalogue } from './merged-catalogue.ts';

const ADDED = 'https://added.example.org/v1';

/** A catalogue file with these parts, merged with a provider, a model and a route that administrators have added before. */
function merged(file: object) {
  const env = { PARLANCE_MODELS: JSON.stringify({ extends: 'builtin', ...file }) };
  const { models } = loadConfig({ argv: [], env, cwd: '/' }) as Config;
  const provider = { type: 'openai_compatible', baseUrl: ADDED, region: null, maxConcurrentCalls: 1, queueTimeoutSeconds: 1 };
  const managed = {
    changes: 3,
    providers: { p: { ...provider, firstTokenTimeoutSeconds: 1, tokenTimeoutSeconds: 1, credentials: null, version: 1 } },
    models: {
      m: {
        provider: 'p',
        model: 'added',
        name: null,
        contextWindow: 1,
        maxOutputTokens: null,
        capabilities: [],
        fallbacks: [],
        version: 2,
      },
    },
    routes: {
      r: { strategy: 'weighted', targets: [{ model: 'm', weight: 1 }], fallbacks: [], retries: 0, timeoutSeconds: null, version: 3 },
    },
  } as unknown as ManagedCatalogue;
  const { providers, models: all, routes, sources } = mergedCatalogue(models, partsOf(managed, new Map()));
  return {
    address: providers['p']?.base_url,
    models: all.flatMap(({ id, model }) => (id === 'm' || id === 'r' ? [[id, model]] : [])),
    routes: routes.map(({ id }) => id),
    sources: [sources.providers.get('p'), sources.models.get('m'), sources.routes.get('r')],
  };
}

describe('the catalogue of an installation', () => {
  const fixed = { p: { type: 'openai_compatible', base_url: 'https://fixed.example.org/v1' } };

  it('has what administrators have added', () =>
    expect(merged({})).toEqual({ address: ADDED, models: [['m', 'added']], routes: ['r'], sources: ['managed', 'managed', 'managed'] }));
  it('has a provider of the configuration rather than an added one with its ID, so that no key goes to another address', () =>
    expect(merged({ providers: fixed })).toMatchObject({
      address: 'https://fixed.example.org/v1',
      sources: ['configuration', 'managed', 'managed'],
    }));
  it('has a model of the configuration rather than an added one with its ID', () =>
    expect(merged({ providers: fixed, models: [{ id: 'm', provider: 'p', model: 'fixed' }] })).toMatchObject({ models: [['m', 'fixed']] }));
  it('has no added route with the name of a model', () =>
    expect(merged({ providers: fixed, models: [{ id: 'r', provider: 'p', model: 'fixed' }] })).toMatchObject({
      models: [
        ['r', 'fixed'],
        ['m', 'added'],
      ],
      routes: [],
    }));
  it('has no added model with the name of a route of the configuration', () =>
    expect(
      merged({
        providers: fixed,
        models: [{ id: 'n', provider: 'p', model: 'n' }],
        routes: [{ id: 'm', targets: [{ model: 'n' }] }],
      }),
    ).toMatchObject({ models: [], routes: ['m', 'r'] }));
});
