import { IsOptional } from 'class-validator';
import type { Objection } from './embedding-model.ts';
import { Key } from './fields.ts';
import { OneOf, Text, WebAddress, Whole } from './rules.ts';

/** The search service that the tool internet_search uses. */
export class InternetSearchConfig {
  @Key('searxng: a server of SearXNG whose settings allow the format json; brave; tavily.')
  @OneOf('searxng', 'brave', 'tavily')
  readonly type!: 'searxng' | 'brave' | 'tavily';
  @Key('URL of the server. If not set, the public URL of the service. Private addresses must be in fetchAllowedPrivateRanges.')
  @IsOptional()
  @WebAddress()
  readonly url: string | null = null;
  @Key('API key of brave or tavily.', { secret: true }) @IsOptional() @Text('a key', /^[!-~]{1,1024}$/) readonly api_key: string | null =
    null;
  @Key('Maximum number of results of one search.') @Whole(1, 20) readonly max_results: number = 8;
  @Key('Time limit of a search, in seconds.') @Whole(1, 60) readonly timeout_seconds: number = 10;
}

/** An error for a search without a key that its type needs. */
export function searchObjection(search: InternetSearchConfig | null): Objection | null {
  if (search === null) return null;
  const needed = search.type === 'searxng' ? 'url' : 'api_key';
  return search[needed] === null ? { path: `internetSearch.${needed}`, value: undefined, allowed: `set with type ${search.type}` } : null;
}
