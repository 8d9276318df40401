import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { externalIdentity } from './external-identity.ts';

const given = specify(externalIdentity);
const linked = { type: 'ExternalIdentityLinked', userId: 'ann' } as const;
const unlinked = { type: 'ExternalIdentityUnlinked', userId: 'ann' } as const;

describe("linking a provider's identity to a user", () => {
  it('succeeds for the first user', () => given().when({ type: 'Link', userId: 'ann' }).emits(linked));
  it('does nothing the second time', () => given(linked).when({ type: 'Link', userId: 'ann' }).emits());
  it('refuses other users', () => given(linked).when({ type: 'Link', userId: 'ben' }).refuses('identity_linked'));
});

describe("unlinking a provider's identity", () => {
  it('makes it available', () => given(linked).when({ type: 'Unlink', userId: 'ann' }).emits(unlinked));
  it('does nothing for other users', () => given(linked).when({ type: 'Unlink', userId: 'ben' }).emits());
});
