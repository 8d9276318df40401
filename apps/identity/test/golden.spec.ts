import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Upcasters } from '@parlance/event-store';
import { differences, goldenCases, snapshotFields } from '@parlance/testing';
import { publishIdentity } from '../src/contracts/identity-events.ts';
import { administrators } from '../src/domain/administrators.ts';
import { upcasts } from '../src/domain/events.ts';
import { emailClaim } from '../src/domain/email-claim.ts';
import { externalIdentity } from '../src/domain/external-identity.ts';
import { factors } from '../src/domain/credentials/factors.ts';
import { firstAdmin } from '../src/domain/first-admin.ts';
import { groups } from '../src/domain/groups.ts';
import { emailVerifications } from '../src/domain/mail/email-verifications.ts';
import { invitations } from '../src/domain/mail/invitations.ts';
import { hold } from '../src/domain/holds/hold.ts';
import { outgoingMail } from '../src/domain/mail/outgoing-mail.ts';
import { resetRequests } from '../src/domain/mail/reset-requests.ts';
import { passkeyClaim } from '../src/domain/credentials/passkey-claim.ts';
import { personalTokens } from '../src/domain/credentials/personal-tokens.ts';
import { scimToken } from '../src/domain/credentials/scim-token.ts';
import { session } from '../src/domain/credentials/session.ts';
import { signInAttempts } from '../src/domain/credentials/sign-in-attempts.ts';
import { signingKeys } from '../src/domain/credentials/signing-keys.ts';
import { user } from '../src/domain/user.ts';
import { readerOf } from '@parlance/foundation/golden';

const cases = goldenCases(new URL('./golden/', import.meta.url));

const reader = readerOf(
  {
    user,
    email: emailClaim,
    external: externalIdentity,
    factors,
    passkey: passkeyClaim,
    first: firstAdmin,
    administrators,
    groups,
    invitations,
    hold,
    verifications: emailVerifications,
    mail: outgoingMail,
    resets: resetRequests,
    session,
    attempts: signInAttempts,
    scim: scimToken,
    tokens: personalTokens,
    signing: signingKeys,
  },
  publishIdentity,
  new Upcasters(upcasts),
);

/** State fields that are newer than the recorded files. The specs of the deciders cover them. */
const gained: readonly string[] = ['emailVerified', 'adopted', 'takeovers', 'passkeys', 'passkeyOffer', 'former'];

const withoutGained = (state: unknown, written: unknown): unknown =>
  typeof state !== 'object' || state === null
    ? state
    : Object.fromEntries(Object.entries(state).filter(([name]) => !gained.includes(name) || Object.hasOwn(written as object, name)));

describe('streams written by an earlier release', () => {
  it.each(cases)('equal the recorded rows: $stream of $release', (golden) => {
    const state: typeof reader.state = (stream, events) => withoutGained(reader.state(stream, events), golden.state);
    expect(differences(golden, { ...reader, state })).toEqual([]);
  });
});

describe('addresses of users created by an earlier release', () => {
  const facts = { email: 's1.e', firstName: 's1.f', lastName: 's1.l', passwordHash: 'hash', groups: [], mustChangePassword: false };
  const signedUp = { type: 'UserRegistered', ...facts, origin: 'sign_up' };
  it.each<[boolean, string, object[]]>([
    [false, 'signed up', [signedUp]],
    [true, 'was created by an Admin', [{ ...signedUp, origin: 'admin' }]],
    [true, 'was created by the first start of the first release', [{ type: 'UserRegistered', ...facts }]],
    [true, 'got another address from SCIM', [signedUp, { type: 'UserEmailChanged', email: 's1.x' }]],
    [true, 'was linked to an identity', [signedUp, { type: 'IdentityLinked', provider: 'corp', identityHash: 'i' }]],
    [false, 'got only an ID from SCIM', [signedUp, { type: 'ExternalIdSet', externalId: 's1.7' }]],
  ])('have emailVerified = %s if the user %s', (emailVerified, _, events) =>
    expect(
      reader.state(
        'user-01K0',
        events.map((event) => ({ schema: 1, event: event as { type: string } })),
      ),
    ).toMatchObject({ emailVerified, adopted: false }),
  );
});

describe('snapshots of these streams', () => {
  it('have the recorded fields: a state with other fields needs another shape, which is then recorded', () => {
    expect(snapshotFields(cases, reader)).toEqual(JSON.parse(readFileSync(new URL('./snapshot-fields.json', import.meta.url), 'utf8')));
  });
});
