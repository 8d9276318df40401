import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Config } from './config.ts';
import { environmentName, fieldsOf, keyOfEnvironmentName } from './fields.ts';

const letter = (alphabet: string) => fc.constantFrom(...alphabet);
const lower = 'abcdefghijklmnopqrstuvwxyz';
const camelCase = fc
  .tuple(letter(lower), fc.array(letter(`${lower}${lower.toUpperCase()}0123456789`), { maxLength: 30 }))
  .map(([first, rest]) => first + rest.join(''));

describe('the name of an environment variable', () => {
  it.each([
    ['tokenValidMinutes', 'PARLANCE_TOKEN_VALID_MINUTES'],
    ['mongoUri', 'PARLANCE_MONGO_URI'],
    ['publicBaseUrl', 'PARLANCE_PUBLIC_BASE_URL'],
    ['allowedIpV4AddressRanges', 'PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES'],
    ['publishedApiAllowedIpV6AddressRanges', 'PARLANCE_PUBLISHED_API_ALLOWED_IP_V6_ADDRESS_RANGES'],
    ['port', 'PARLANCE_PORT'],
  ])('of %s is %s', (key, name) => expect(environmentName(key)).toBe(name));

  it('maps back to its key', () => {
    fc.assert(fc.property(camelCase, (key) => expect(keyOfEnvironmentName(environmentName(key))).toBe(key)));
  });

  it('has only capitals, digits and underscores', () => {
    fc.assert(fc.property(camelCase, (key) => expect(environmentName(key)).toMatch(/^PARLANCE_[A-Z][A-Z0-9_]*$/)));
  });

  it('is unique for every key', () => {
    const keys = [...fieldsOf(Config).keys()];
    expect(new Set(keys.map(environmentName)).size).toBe(keys.length);
  });
});
