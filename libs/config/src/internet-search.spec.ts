import { describe, expect, it } from '@jest/globals';
import { complaint, load } from '../test/load.ts';
import { effectiveConfig } from './describe-config.ts';

describe('the internet search', () => {
  it('is absent by default, and needs only the keys of its type', () => {
    expect(load(null, {}).internetSearch).toBeNull();
    const search = { type: 'searxng', url: 'https://search.example.org' };
    expect(load(null, { INTERNET_SEARCH: JSON.stringify(search) }).internetSearch).toEqual({
      ...search,
      api_key: null,
      max_results: 8,
      timeout_seconds: 10,
    });
  });
  it('keeps its key secret', () => {
    const config = load({ internetSearch: { type: 'brave', api_key: 'canary-7d2a' } });
    expect(config.internetSearch!.api_key).toBe('canary-7d2a');
    expect(JSON.stringify(effectiveConfig(config))).not.toContain('canary');
  });
  it.each([
    [{ type: 'searxng' }, 'internetSearch.url'],
    [{ type: 'brave' }, 'internetSearch.api_key'],
    [{ type: 'tavily', url: 'https://search.example.org' }, 'internetSearch.api_key'],
    [{ type: 'other' }, 'internetSearch.type'],
    [{ type: 'brave', api_key: 'k', max_results: 21 }, 'internetSearch.max_results'],
  ])('refuses %j', (internetSearch, path) => expect(complaint({ internetSearch })).toContain(path));
});
