import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { isValidToken, scimToken, type ScimTokenEvent } from './scim-token.ts';

const given = specify(scimToken);
const noon = Instant.ofSeconds(1_800_000_000);
const later = Instant.plus(noon, 1);
const make = { type: 'Make', description: 'IdP', hash: 'h', expiresAt: later, now: noon } as const;
const made: ScimTokenEvent = { type: 'ScimTokenMade', description: 'IdP', hash: 'h', expiresAt: later };
const revoked: ScimTokenEvent = { type: 'ScimTokenRevoked' };

describe('a provisioning token', () => {
  it('is created', () => given().when(make).emits(made));
  it('is created once', () => given(made).when(make).emits());
  it('is not created with an expiry in the past', () =>
    given()
      .when({ ...make, expiresAt: noon })
      .refuses('expiry_passed'));
  it('is revoked', () => given(made).when({ type: 'Revoke' }).emits(revoked));
  it('is revoked once', () => given(made, revoked).when({ type: 'Revoke' }).emits());
  it('is not revoked if it never existed', () => given().when({ type: 'Revoke' }).refuses('scim_token_not_found'));
  it.each<[boolean, string, ScimTokenEvent[], string, Instant]>([
    [true, 'itself', [made], 'h', noon],
    [false, 'another', [made], 'i', noon],
    [false, 'expired', [made], 'h', later],
    [false, 'revoked', [made, revoked], 'h', noon],
    [false, 'unknown', [], 'h', noon],
  ])('is valid: %s, when it is %s', (good, _, history, hash, now) => expect(isValidToken(fold(scimToken, history), hash, now)).toBe(good));
});
