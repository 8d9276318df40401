import { describe, expect, it } from '@jest/globals';
import { Upcasters } from '@parlance/event-store';
import { differences, goldenCases } from '@parlance/testing';
import { publishIdentity } from '../src/contracts/identity-events.ts';
import { administrators } from '../src/domain/administrators.ts';
import { upcasts } from '../src/domain/events.ts';
import { emailClaim } from '../src/domain/email-claim.ts';
import { externalIdentity } from '../src/domain/external-identity.ts';
import { firstAdmin } from '../src/domain/first-admin.ts';
import { groups } from '../src/domain/groups.ts';
import { scimToken } from '../src/domain/scim-token.ts';
import { session } from '../src/domain/session.ts';
import { signInAttempts } from '../src/domain/sign-in-attempts.ts';
import { signingKeys } from '../src/domain/signing-keys.ts';
import { user } from '../src/domain/user.ts';
import { readerOf } from '@parlance/service-kit/golden';

const reader = readerOf(
  {
    user,
    email: emailClaim,
    external: externalIdentity,
    first: firstAdmin,
    administrators,
    groups,
    session,
    attempts: signInAttempts,
    scim: scimToken,
    signing: signingKeys,
  },
  publishIdentity,
  new Upcasters(upcasts),
);

/** What states have gained since a release wrote its file. What it is for its streams is specified with the deciders. */
const gained: readonly string[] = ['emailVerified', 'adopted'];

const withoutGained = (state: unknown, written: unknown): unknown =>
  typeof state !== 'object' || state === null
    ? state
    : Object.fromEntries(Object.entries(state).filter(([name]) => !gained.includes(name) || Object.hasOwn(written as object, name)));

describe('streams that a release has written', () => {
  it.each(goldenCases(new URL('./golden/', import.meta.url)))('are what they were: $stream of $release', (golden) => {
    const state: typeof reader.state = (stream, events) => withoutGained(reader.state(stream, events), golden.state);
    expect(differences(golden, { ...reader, state })).toEqual([]);
  });
});
