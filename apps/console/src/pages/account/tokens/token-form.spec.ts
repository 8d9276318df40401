import { bodyOf, fieldsOf, NEW_TOKEN, scopesFor, termsBodyOf } from './token-form.ts';

describe('a new access token', () => {
  it('names its permissions in the order of the form, and leaves out what was not entered', () =>
    expect(bodyOf({ ...NEW_TOKEN, description: ' Report ', scopes: ['publish', 'chat', 'unknown'] })).toEqual({
      description: 'Report',
      scopes: ['chat', 'publish'],
    }));

  it('has each non-empty line of ranges, and the second in which it expires', () => {
    const body = bodyOf({ ...NEW_TOKEN, ranges: ' 192.0.2.0/24 \n\n2001:db8::/32', expires: '2030-05-06T07:08' });
    expect(body.allowed_ip_ranges).toEqual(['192.0.2.0/24', '2001:db8::/32']);
    expect(body.expires_at).toBe(Math.floor(new Date(2030, 4, 6, 7, 8).getTime() / 1_000));
  });

  it('offers administrator permissions only to administrators', () => {
    expect(scopesFor(false)).toEqual(['chat', 'approve', 'bots:read', 'bots:write', 'publish', 'models']);
    expect(scopesFor(true)).toHaveLength(9);
  });

  it('has the terms that were entered, if it may call models', () => {
    const terms = {
      models: 'gpt-5*\n gpt-5* \n',
      requests: 60,
      tokens: NaN,
      parallel: 2,
      costCentre: ' sales ',
      cached: 60,
      tags: 'app: a:b\nenv',
    };
    expect(bodyOf({ ...NEW_TOKEN, scopes: ['models'], terms })).toEqual({
      description: '',
      scopes: ['models'],
      models: ['gpt-5*'],
      requests_per_minute: 60,
      max_parallel_requests: 2,
      cost_centre: 'sales',
      cache_ttl_seconds: 60,
      tags: { app: 'a:b', env: '' },
    });
    expect(bodyOf({ ...NEW_TOKEN, scopes: ['chat'], terms })).toEqual({ description: '', scopes: ['chat'] });
    expect(bodyOf({ ...NEW_TOKEN, scopes: ['models'] })).toEqual({ description: '', scopes: ['models'] });
  });
});

describe('changed terms', () => {
  const none = {
    models: [],
    requests_per_minute: null,
    tokens_per_minute: null,
    max_parallel_requests: null,
    cost_centre: null,
    cache_ttl_seconds: 0,
    tags: {},
  };
  const token = {
    token_id: 't',
    user_id: 'u',
    created_by: 'u',
    description: 'Report',
    scopes: ['models'],
    allowed_ip_ranges: [],
    create_time: 1,
    expires_at: 2,
    last_used_time: null,
    ...none,
  };
  const terms = {
    ...none,
    models: ['gpt', 'claude*'],
    tokens_per_minute: 5,
    cost_centre: 'sales',
    cache_ttl_seconds: 600,
    tags: { app: 'a:b', env: '' },
  };

  it('begin with those of the token', () => expect(termsBodyOf(fieldsOf({ ...token, ...terms }))).toEqual(terms));
  it('remove what was cleared', () => expect(termsBodyOf(fieldsOf(token))).toEqual(none));
});
