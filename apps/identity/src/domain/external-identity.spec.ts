import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { externalIdentity } from './external-identity.ts';

const given = specify(externalIdentity);
const linked = { type: 'ExternalIdentityLinked', userId: 'ann' } as const;
const unlinked = { type: 'ExternalIdentityUnlinked', userId: 'ann' } as const;

describe("linking a provider's identity to a user", () => {
  it('is for the first', () => given().when({ type: 'Link', userId: 'ann' }).emits(linked));
  it('does nothing the second time', () => given(linked).when({ type: 'Link', userId: 'ann' }).emits());
  it('refuses other users', () => given(linked).when({ type: 'Link', userId: 'ben' }).refuses('identity_linked'));
});

describe('unlinking it', () => {
  it('sets it free', () => given(linked).when({ type: 'Unlink', userId: 'ann' }).emits(unlinked));
  it('does nothing for others', () => given(linked).when({ type: 'Unlink', userId: 'ben' }).emits());
});
