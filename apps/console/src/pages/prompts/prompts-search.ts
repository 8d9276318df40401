import { choiceParam, type PagedSearch, pagedSearch, textParam } from '../../app/search-params.ts';

export const PROMPT_KINDS = ['all', 'own', 'shared'] as const;
export type PromptKind = (typeof PROMPT_KINDS)[number];

export interface PromptsSearch extends PagedSearch {
  readonly q?: string | undefined;
  readonly kind?: PromptKind | undefined;
}

/** The server's maximum. */
const LONGEST_QUERY = 100;

/** Reads the address. Invalid parts are left out. */
export const promptsSearch = (raw: Record<string, unknown>): PromptsSearch => {
  const q = textParam(raw['q'])?.trim().slice(0, LONGEST_QUERY);
  return { ...pagedSearch(raw), q: q === '' ? undefined : q, kind: choiceParam(raw['kind'], PROMPT_KINDS) };
};
