import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { passkeyClaim } from './passkey-claim.ts';

const given = specify(passkeyClaim);
const claimed = { type: 'PasskeyClaimed', userId: 'ann' } as const;
const released = { type: 'PasskeyReleased', userId: 'ann' } as const;

describe('claiming the credential of a passkey', () => {
  it('succeeds for the first user', () => given().when({ type: 'Claim', userId: 'ann' }).emits(claimed));
  it('does nothing the second time', () => given(claimed).when({ type: 'Claim', userId: 'ann' }).emits());
  it('refuses other users', () => given(claimed).when({ type: 'Claim', userId: 'ben' }).refuses('passkey_taken'));
  it('succeeds for another user after a release', () =>
    given(claimed, released).when({ type: 'Claim', userId: 'ben' }).emits({ type: 'PasskeyClaimed', userId: 'ben' }));
});

describe('releasing the credential of a passkey', () => {
  it('makes it available', () => given(claimed).when({ type: 'Release', userId: 'ann' }).emits(released));
  it('does nothing for other users', () => given(claimed).when({ type: 'Release', userId: 'ben' }).emits());
  it('does nothing the second time', () => given(claimed, released).when({ type: 'Release', userId: 'ann' }).emits());
});
