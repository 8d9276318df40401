import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { factorOf } from './external-factor.ts';

const noon = Instant.ofSeconds(1_800_000_000);
const settings = { accepted_acr: ['urn:mfa', '2'], accepted_amr: ['hwk', 'mfa'] };
const factor = (claims: object) => factorOf({ ...claims }, settings, noon);

describe('a second factor reported by a provider', () => {
  it.each<[string, object]>([
    ['an accepted acr', { acr: 'urn:mfa' }],
    ['an accepted method', { amr: ['pwd', 'mfa'] }],
    ['both', { acr: '2', amr: ['hwk'] }],
  ])('is accepted with %s', (_, claims) => expect(factor(claims)).toEqual({ at: null }));
  it.each<[string, object]>([
    ['nothing', {}],
    ['another acr', { acr: '1' }],
    ['an acr in another case', { acr: 'URN:MFA' }],
    ['an acr that is a number', { acr: 2 }],
    ['a list as acr', { acr: ['urn:mfa'] }],
    ['other methods', { amr: ['pwd', 'sms'] }],
    ['methods that are not a list', { amr: 'mfa' }],
    ['an acr that is an accepted method', { acr: 'mfa' }],
  ])('is not accepted with %s', (_, claims) => expect(factor(claims)).toBeNull());
  it('is not accepted without settings', () =>
    expect(factorOf({ acr: '2', amr: ['mfa'] }, { accepted_acr: [], accepted_amr: [] }, noon)).toBeNull());
  it.each<[string, unknown, number | null]>([
    ['the reported time', 1_799_999_000, 1_799_999_000_000],
    ['now, if the reported time is later', 1_800_000_060, 1_800_000_000_000],
    ['unknown, if none is reported', undefined, null],
    ['unknown, if the reported value is not a time', '1799999000', null],
    ['unknown, if the reported time is before 1970', -1, null],
  ])('has a time that is %s', (_, auth_time, at) => expect(factor({ acr: '2', auth_time })).toEqual({ at }));
});
