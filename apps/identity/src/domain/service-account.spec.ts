import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { serviceAccountAddress } from './service-account.ts';
import { user, type UserCommand, type UserEvent } from './user.ts';

const given = specify(user);
const noon = Instant.ofSeconds(1_800_000_000);
const facts = { email: 's1.e', firstName: 's1.f', lastName: 's1.l', passwordHash: null, groups: ['Robots'], mustChangePassword: false };
const account: UserEvent = { type: 'UserRegistered', ...facts, origin: 'service_account', ownerGroup: 'Robots', emailVerified: true };

describe('a service account', () => {
  it('is a user that a group owns', () => {
    const { type: _, emailVerified: __, ...registered } = account as Extract<UserEvent, { type: 'UserRegistered' }>;
    given()
      .when({ type: 'Register', ...registered })
      .emits(account);
  });
  it.each<UserCommand>([
    { type: 'ChangeEmail', email: 's1.x' },
    { type: 'ChangePassword', knownHash: 'h', passwordHash: 'n' },
    { type: 'SetPassword', passwordHash: 'n' },
    { type: 'OfferPasswordReset', offerId: 'o', tokenHash: 't', expiresAt: noon },
    { type: 'ResetPassword', tokenHash: 't', passwordHash: 'n', now: noon },
    { type: 'LinkIdentity', provider: 'corporate', identityHash: 'i' },
    { type: 'SetExternalId', externalId: 's1.7' },
  ])('cannot get a way to sign in: $type', (command) => given(account).when(command).refuses('service_account'));
  it('can be disabled like other users', () => given(account).when({ type: 'Amend', enabled: false }).emits({ type: 'UserDisabled' }));
  it('has an address of its own', () => expect(serviceAccountAddress('01K0A')).toBe('service-account-01k0a@parlance.invalid'));
});

describe('the takeovers of a user', () => {
  it('are counted, so that tokens of the previous person are void', () => {
    const signedUp: UserEvent = { ...(account as Extract<UserEvent, { type: 'UserRegistered' }>), origin: 'sign_up' };
    const changed = (because: 'user_changed_it' | 'address_proved_by_another'): UserEvent => ({
      type: 'PasswordChanged',
      passwordHash: null,
      because,
    });
    const counts = [[], [changed('user_changed_it')], [changed('address_proved_by_another')]].map(
      (more) => (fold(user, [signedUp, ...more]) as { takeovers: number }).takeovers,
    );
    expect(counts).toEqual([0, 0, 1]);
  });
});
