import type { InternetSearchConfig } from '@parlance/config';
import type { FetchRequest } from '@parlance/guarded-fetch';

/** A page in the search results. */
export interface Found {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
}

/** What differs between search services. */
export interface SearchService {
  request(query: string, most: number): Pick<FetchRequest, 'method' | 'headers' | 'body'> & { readonly url: string };
  /** The pages in an answer. The answer is unchecked. */
  read(answer: unknown): readonly Found[];
}

const BRAVE = 'https://api.search.brave.com/res/v1/web/search';
const TAVILY = 'https://api.tavily.com/search';

export function serviceOf({ type, url, api_key }: InternetSearchConfig): SearchService {
  switch (type) {
    case 'searxng':
      return {
        request: (q) => ({ url: withQuery(`${url!.replace(/\/$/, '')}/search`, { q, format: 'json' }) }),
        read: (answer) => pagesIn(listAt(answer, 'results'), 'content'),
      };
    case 'brave':
      return {
        request: (q, most) => ({
          url: withQuery(url ?? BRAVE, { q, count: String(most), text_decorations: 'false' }),
          headers: { 'x-subscription-token': api_key! },
        }),
        read: (answer) => pagesIn(listAt(fieldOf(answer, 'web'), 'results'), 'description'),
      };
    case 'tavily':
      return {
        request: (query, max_results) => ({
          url: url ?? TAVILY,
          method: 'POST',
          headers: { authorization: `Bearer ${api_key!}`, 'content-type': 'application/json' },
          body: JSON.stringify({ query, max_results }),
        }),
        read: (answer) => pagesIn(listAt(answer, 'results'), 'content'),
      };
  }
}

function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** Pages without a web address are left out. */
function pagesIn(list: readonly unknown[], excerpt: string): readonly Found[] {
  const textAt = (page: unknown, name: string) => {
    const text = fieldOf(page, name);
    return typeof text === 'string' ? text : '';
  };
  return list
    .map((page) => ({ title: textAt(page, 'title'), url: textAt(page, 'url'), excerpt: textAt(page, excerpt) }))
    .filter(({ url }) => /^https?:\/\//.test(url));
}
