import { describe, expect, it } from '@jest/globals';
import { differences, goldenCases } from '@parlance/testing';
import { publishIdentity } from '../src/contracts/identity-events.ts';
import { emailClaim } from '../src/domain/email-claim.ts';
import { firstAdmin } from '../src/domain/first-admin.ts';
import { session } from '../src/domain/session.ts';
import { signingKeys } from '../src/domain/signing-keys.ts';
import { user } from '../src/domain/user.ts';
import { readerOf } from '@parlance/service-kit/golden';

const reader = readerOf({ user, email: emailClaim, first: firstAdmin, session, signing: signingKeys }, publishIdentity);

describe('streams that a release has written', () => {
  it.each(goldenCases(new URL('./golden/', import.meta.url)))('are what they were: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});
