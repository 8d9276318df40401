import { type Fields, listOf, mapOf, textsOf } from '../source/fields.ts';

export interface Fallbacks {
  /** The names of the models that LiteLLM calls when all deployments of a model fail. */
  of(name: string): readonly string[];
}

/** Fallbacks are in `router_settings` or in `litellm_settings`, as a list of maps from a name to names. The name `*` is for all. */
export function fallbacksIn(router: Fields, settings: Fields): Fallbacks {
  const named = new Map<string, readonly string[]>();
  for (const entry of [...listOf(settings['fallbacks']), ...listOf(router['fallbacks'])])
    for (const [name, list] of Object.entries(mapOf(entry))) named.set(name, textsOf(list));
  const general = [router['default_fallbacks'], settings['default_fallbacks']].map(textsOf).find((list) => list.length > 0);
  const forAll = named.get('*') ?? general ?? [];
  return { of: (name) => (named.get(name) ?? forAll).filter((each) => each !== name) };
}
