import { describe, expect, it } from '@jest/globals';
import { describedKey, limitsOf, mappedKey, markIn, type TokenPlan } from './key.ts';
import { mappedTerms } from './terms.ts';

const NOW = 1_800_000_000;

/** A row with every column that is taken over, and some that are not. */
const WHOLE = {
  token: 'hash-of-the-key',
  key_name: 'sk-...aaaa',
  key_alias: 'search-prod',
  spend: 4,
  expires: '2027-06-01T00:00:00',
  models: ['fast', 'beta'],
  aliases: { quick: 'fast' },
  user_id: 'u1',
  team_id: 't1',
  max_parallel_requests: 4,
  metadata: { tags: ['prod', 'app:search'], model_rpm_limit: { fast: 1 } },
  blocked: null,
  tpm_limit: '5000',
  rpm_limit: 60,
  max_budget: 20,
  budget_duration: '30d',
  budget_id: 'b1',
  permissions: {},
  organization_id: '',
};
const plan = (row: object = WHOLE) => mappedKey(row as never, NOW) as TokenPlan;
const NOTHING = { owner: null, shared: null, accessGroups: new Map<string, readonly string[]>(), cacheSeconds: 0 };

describe('a key of LiteLLM', () => {
  it('becomes a token with its limits, budget, expiry and tags', () => {
    expect(plan()).toEqual({
      mark: expect.stringMatching(/^[0-9a-f]{16}$/),
      alias: 'search-prod',
      keyName: 'sk-...aaaa',
      teamId: 't1',
      userId: 'u1',
      limits: {
        models: ['fast', 'beta'],
        rpm: 60,
        tpm: 5_000,
        parallel: 4,
        budget: { period: 'MONTH', limit: 20, mode: 'hard', note: null },
      },
      budgetId: 'b1',
      expiresAt: Date.UTC(2027, 5, 1) / 1_000,
      tags: { prod: '', app: 'search' },
      changes: [
        { setting: 'aliases', reason: expect.any(String) },
        { setting: 'metadata.model_rpm_limit', reason: expect.any(String) },
      ],
    });
  });
  it('is recognised by its hash, whatever its alias is', () => {
    expect(plan({ ...WHOLE, key_alias: 'renamed' }).mark).toBe(plan().mark);
    expect(plan({ ...WHOLE, token: 'another' }).mark).not.toBe(plan().mark);
    expect(markIn(describedKey(plan()))).toBe(plan().mark);
    expect(markIn('search-prod')).toBeNull();
  });
  it('may have an expiry with a zone, as text of PostgreSQL', () =>
    expect(plan({ ...WHOLE, expires: '2027-06-01 02:00:00.5+02' }).expiresAt).toBe(Date.UTC(2027, 5, 1) / 1_000));
  it.each([
    [{ blocked: true }, 'blocked'],
    [{ blocked: 't' }, 'blocked'],
    [{ expires: '2020-01-01T00:00:00' }, 'expired'],
    [{ expires: 'soon' }, 'not a date'],
    [{ team_id: 'litellm-dashboard' }, 'dashboard'],
    [{ key_alias: null, key_name: null }, 'neither'],
  ])('with %j is left out', (fields, reason) =>
    expect(plan({ ...WHOLE, ...fields })).toEqual({ alias: expect.any(String), reason: expect.stringContaining(reason) }),
  );
  it('without an alias has its shortened key', () => expect(plan({ ...WHOLE, key_alias: null }).alias).toBe('sk-...aaaa'));
  it('has at most 16 tags', () => {
    const { tags, changes } = plan({ ...WHOLE, aliases: {}, metadata: { tags: Array.from({ length: 18 }, (_, index) => `tag-${index}`) } });
    expect(Object.keys(tags)).toHaveLength(16);
    expect(changes).toEqual([{ setting: 'metadata.tags', reason: expect.stringContaining('tag-16, tag-17') }]);
  });
});

describe('the terms of a token', () => {
  const terms = (row: object, more: Partial<Parameters<typeof mappedTerms>[1]> = {}) =>
    mappedTerms(plan({ ...WHOLE, ...row }), { ...NOTHING, ...more });
  it('name the models of access groups', () =>
    expect(terms({}, { accessGroups: new Map([['beta', ['new', 'fast']]]), cacheSeconds: 60 })).toMatchObject({
      terms: {
        models: ['fast', 'new'],
        requests_per_minute: 60,
        tokens_per_minute: 5_000,
        max_parallel_requests: 4,
        cache_ttl_seconds: 60,
      },
    }));
  it('have the lowest limit of the key, its budget and its team, and say so', () => {
    const [owner, shared] = [limitsOf({ rpm_limit: 30 }), limitsOf({ tpm_limit: 100 })];
    expect(terms({}, { owner, shared })).toEqual({
      terms: expect.objectContaining({ requests_per_minute: 30, tokens_per_minute: 100 }),
      changes: [{ setting: 'rpm_limit', reason: expect.stringContaining('30') }],
    });
  });
  it.each([
    [['all-team-models'], ['a', 'b'], ['a', 'b']],
    [[], ['a'], ['a']],
    [['a', 'c'], [], ['a', 'c']],
    [['a', 'c'], ['a', 'b'], ['a']],
    [['openai/*'], ['openai/x', 'b'], ['openai/x']],
    [['all-proxy-models'], [], []],
  ])('allow %j of the key in a team with %j: %j', (models, ofTeam, allowed) =>
    expect(terms({ models }, { owner: limitsOf({ models: ofTeam }) })).toMatchObject({ terms: { models: allowed } }),
  );
  it.each([
    [{ models: ['no-default-models'] }, [], 'no model'],
    [{ models: ['a'] }, ['b'], 'none of the models'],
    [{ models: Array.from({ length: 31 }, (_, index) => `m${index}`) }, [], '31 models'],
    [{ models: ['a*b'] }, [], 'a*b'],
    [{ rpm_limit: 0 }, [], 'is 0'],
  ])('are refused for %j in a team with %j, and never become all models', (row, ofTeam, reason) =>
    expect(terms(row, { owner: limitsOf({ models: ofTeam }) })).toEqual({ reason: expect.stringContaining(reason) }),
  );
});
