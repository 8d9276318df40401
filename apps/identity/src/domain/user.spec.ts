import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { isActiveAdmin, user, type UserCommand, type UserEvent } from './user.ts';
import type { Origin } from './verified-address.ts';

const given = specify(user);
const noon = Instant.ofSeconds(1_800_000_000);
const later = Instant.plus(noon, 1);
const facts = { email: 's1.e', firstName: 's1.f', lastName: 's1.l', passwordHash: 'hash', groups: ['Admin'], mustChangePassword: true };
const register: UserCommand = { type: 'Register', ...facts, origin: 'admin' };
const by = (origin: Origin): UserEvent => ({
  type: 'UserRegistered',
  ...facts,
  groups: origin === 'sign_up' ? [] : facts.groups,
  origin,
  emailVerified: origin !== 'sign_up',
});
const registered = by('admin');
const disabled: UserEvent = { type: 'UserDisabled' };
const erased: UserEvent = { type: 'UserErased' };
const offered: UserEvent = { type: 'PasswordResetOffered', offerId: 'o', tokenHash: 't', expiresAt: noon };
const voided: UserEvent = { type: 'PasswordChanged', passwordHash: null, because: 'address_proved_by_another' };
const abandoned: UserEvent = { type: 'RegistrationAbandoned' };

describe('registering a user', () => {
  it('records the facts about the user', () => given().when(register).emits(registered));
  it('does nothing the second time', () => given(registered).when(register).emits());
  it('can register the user as disabled', () =>
    given()
      .when({ ...register, enabled: false } as UserCommand)
      .emits(registered, disabled));
  it('is abandoned if it was interrupted and another registration wants the address', () => {
    given().when({ type: 'Abandon' }).emits(abandoned);
    given(abandoned).when(register).refuses('email_taken');
  });
  it('is not abandoned if it was not interrupted', () => given(registered).when({ type: 'Abandon' }).emits());
  it('never reuses the ID of an erased user', () => given(registered, erased).when(register).refuses('user_erased'));
});

describe('amending a user', () => {
  it('chooses a language, once', () => {
    const chosen = (language: 'de' | null): UserEvent => ({ type: 'LanguageChosen', language });
    given(registered).when({ type: 'Amend', language: 'de' }).emits(chosen('de'));
    given(registered, chosen('de')).when({ type: 'Amend', language: 'de' }).emits();
    given(registered, chosen('de')).when({ type: 'Amend', language: null }).emits(chosen(null));
    given(registered).when({ type: 'Amend', language: null }).emits();
    given(registered, chosen('de')).when({ type: 'Amend', enabled: true }).emits();
  });
  it('has a choice about mails that is off at first, and recorded only when it changes', () => {
    const chosen = (wanted: boolean): UserEvent => ({ type: 'NotificationMailsChosen', wanted });
    given(registered).when({ type: 'Amend', notificationMails: false }).emits();
    given(registered).when({ type: 'Amend', notificationMails: true }).emits(chosen(true));
    given(registered, chosen(true)).when({ type: 'Amend', notificationMails: true }).emits();
    given(registered, chosen(true)).when({ type: 'Amend', notificationMails: false }).emits(chosen(false));
  });
  it('keeps a name that the change leaves out', () =>
    given(registered).when({ type: 'Amend', firstName: 's1.g' }).emits({ type: 'UserRenamed', firstName: 's1.g', lastName: 's1.l' }));
  it('disables and renames in one command', () =>
    given(registered)
      .when({ type: 'Amend', lastName: 's1.m', enabled: false })
      .emits({ type: 'UserRenamed', firstName: 's1.f', lastName: 's1.m' }, disabled));
  it('disables no user twice', () => given(registered, disabled).when({ type: 'Amend', enabled: false }).emits());
  it('enables again', () => given(registered, disabled).when({ type: 'Amend', enabled: true }).emits({ type: 'UserEnabled' }));
  it('changes the address', () =>
    given(registered).when({ type: 'ChangeEmail', email: 's1.x' }).emits({ type: 'UserEmailChanged', email: 's1.x', emailVerified: true }));
  it('records the external ID of a provisioning client', () =>
    given(registered).when({ type: 'SetExternalId', externalId: 's1.7' }).emits({ type: 'ExternalIdSet', externalId: 's1.7' }));
  it('is refused if the user was never registered', () => given().when({ type: 'Amend', enabled: false }).refuses('user_not_found'));
});

describe('groups of a user', () => {
  it('are joined', () => given(registered).when({ type: 'JoinGroup', group: 'red' }).emits({ type: 'UserJoinedGroup', group: 'red' }));
  it('are joined once', () => given(registered).when({ type: 'JoinGroup', group: 'Admin' }).emits());
  it('are left', () => given(registered).when({ type: 'LeaveGroup', group: 'Admin' }).emits({ type: 'UserLeftGroup', group: 'Admin' }));
  it('are left once', () => given(registered).when({ type: 'LeaveGroup', group: 'red' }).emits());
  it('are limited in number', () => {
    const many: UserEvent[] = Array.from({ length: 199 }, (_, n) => ({ type: 'UserJoinedGroup', group: `g${n}` }));
    given(registered, ...many)
      .when({ type: 'JoinGroup', group: 'one more' })
      .refuses('too_many_groups');
    const long: UserEvent[] = Array.from({ length: 10 }, (_, n) => ({ type: 'UserJoinedGroup', group: `${n}${'\u{1F41D}'.repeat(90)}` }));
    given(registered, ...long)
      .when({ type: 'JoinGroup', group: '\u{1F41D}'.repeat(97) })
      .refuses('too_many_groups');
    given()
      .when({ ...register, groups: Array.from({ length: 60 }, (_, n) => `${n}`.padEnd(100, 'x')) } as UserCommand)
      .refuses('too_many_groups');
  });
});

describe('passwords', () => {
  it('are changed by a caller who knew the current one', () =>
    given(registered)
      .when({ type: 'ChangePassword', knownHash: 'hash', passwordHash: 'new' })
      .emits({ type: 'PasswordChanged', passwordHash: 'new', because: 'user_changed_it' }));
  it('are not changed by a caller who knew the previous one', () =>
    given(registered, { type: 'PasswordChanged', passwordHash: 'new', because: 'user_changed_it' })
      .when({ type: 'ChangePassword', knownHash: 'hash', passwordHash: 'newer' })
      .refuses('wrong_password'));
  it('have to be changed if an administrator sets them, but not if the user does', () => {
    const changed = (because: 'set_by_admin' | 'user_changed_it') =>
      fold(user, [registered, { type: 'PasswordChanged', passwordHash: 'n', because }]);
    expect([changed('set_by_admin'), changed('user_changed_it')]).toMatchObject([
      { mustChangePassword: true },
      { mustChangePassword: false },
    ]);
  });
  it('are set by a token before it expires', () =>
    given(registered, { ...offered, expiresAt: later })
      .when({ type: 'ResetPassword', tokenHash: 't', passwordHash: 'new', now: noon })
      .emits({ type: 'PasswordChanged', passwordHash: 'new', because: 'reset_by_token' }));
  it('are offered to be reset once by a request and its retry', () => {
    const offer: UserCommand = { type: 'OfferPasswordReset', offerId: 'o', tokenHash: 't', expiresAt: noon };
    given(registered).when(offer).emits(offered);
    given(registered, offered)
      .when({ ...offer, tokenHash: 'another' })
      .emits();
  });
  it.each<[string, UserEvent[], string]>([
    ['an expired token', [offered], 't'],
    ['another token', [{ ...offered, expiresAt: later } as UserEvent], 'u'],
    ['no token', [], 't'],
    [
      'a used token',
      [{ ...offered, expiresAt: later } as UserEvent, { type: 'PasswordChanged', passwordHash: 'n', because: 'reset_by_token' }],
      't',
    ],
    [
      'a token older than another change',
      [{ ...offered, expiresAt: later } as UserEvent, { type: 'PasswordChanged', passwordHash: 'n', because: 'user_changed_it' }],
      't',
    ],
  ])('are not set by %s', (_, history, tokenHash) =>
    given(registered, ...history)
      .when({ type: 'ResetPassword', tokenHash, passwordHash: 'new', now: noon })
      .refuses('invalid_reset_token'),
  );
});

describe('linking an identity of a provider', () => {
  const link: UserCommand = { type: 'LinkIdentity', provider: 'corp', identityHash: 'i' };
  const linked: UserEvent = { type: 'IdentityLinked', provider: 'corp', identityHash: 'i' };
  it('keeps the password of a user whom an administrator created', () => given(registered).when(link).emits(linked));
  it('verifies the address of a user who signed up without proving it, and voids the password', () =>
    given(by('sign_up')).when(link).emits(linked, { type: 'EmailVerified', by: 'oidc' }, voided));
  it('keeps the password that was set after the first link', () =>
    given(by('sign_up'), linked)
      .when({ ...link, identityHash: 'j' })
      .emits({ ...linked, identityHash: 'j' }));
  it('does nothing the second time', () => given(registered, linked).when(link).emits());
});

const signedUp = by('sign_up');
const adopted: UserEvent = { type: 'EmailVerified', by: 'scim' };
describe('confirming an address by the link in a mail', () => {
  const confirm: UserCommand = { type: 'ConfirmEmail', email: 's1.e' };
  const confirmed: UserEvent = { type: 'EmailConfirmed' };
  it('verifies it once, and keeps the password', () => {
    given(by('sign_up')).when(confirm).emits(confirmed);
    given(by('sign_up'), confirmed).when(confirm).emits();
    expect(fold(user, [by('sign_up'), confirmed])).toMatchObject({ emailVerified: true, passwordHash: 'hash' });
  });
  it('is refused for another address than the current one', () =>
    given(by('sign_up'), { type: 'UserEmailChanged', email: 's1.x', emailVerified: false })
      .when(confirm)
      .refuses('invalid_verification_token'));
  it('does not prevent a provider from taking over the account', () =>
    given(by('sign_up'), confirmed).when({ type: 'Adopt' }).emits({ type: 'EmailVerified', by: 'scim' }, voided));
});

const isVerified = (...history: UserEvent[]) => (fold(user, history) as { emailVerified: boolean }).emailVerified;

describe('adopting an account by SCIM', () => {
  it('verifies the address of a user who signed up, and voids the password, once', () => {
    given(signedUp).when({ type: 'Adopt' }).emits(adopted, voided);
    given(signedUp, adopted, voided).when({ type: 'Adopt' }).emits();
  });
  it('ends all sessions and an open reset', () => {
    const state = fold(user, [signedUp, { ...offered, expiresAt: later }, adopted, voided]);
    expect(state).toMatchObject({ epoch: 1, reset: null, passwordHash: null, emailVerified: true });
  });
  it('keeps the password that was set after the adoption, even if an identity is linked', () => {
    const history = [signedUp, adopted, voided, { type: 'PasswordChanged', passwordHash: 'own', because: 'reset_by_token' }] as const;
    given(...history)
      .when({ type: 'Adopt' })
      .emits();
    given(...history)
      .when({ type: 'LinkIdentity', provider: 'corp', identityHash: 'i' })
      .emits({ type: 'IdentityLinked', provider: 'corp', identityHash: 'i' });
  });
  it('voids the password even if an Admin had confirmed the account', () =>
    given(signedUp, { type: 'UserJoinedGroup', group: 'Admin' }).when({ type: 'Adopt' }).emits(adopted, voided));
  it('voids the password even if an earlier release had let SCIM change the address without doing so', () =>
    given(signedUp, { type: 'UserEmailChanged', email: 's1.x', emailVerified: true }).when({ type: 'Adopt' }).emits(adopted, voided));
  it.each<Origin>(['admin', 'first_start', 'oidc', 'scim'])('changes nothing for a user created by %s', (origin) =>
    given(by(origin)).when({ type: 'Adopt' }).emits(),
  );
  it('changes nothing for a user linked to a sign-in provider', () =>
    given(signedUp, { type: 'IdentityLinked', provider: 'corp', identityHash: 'i' }).when({ type: 'Adopt' }).emits());
});

describe('an address', () => {
  it.each<[boolean, string, UserEvent[]]>([
    [false, 'of a user who signed up', [signedUp]],
    [true, 'of a user whom an Admin created', [by('admin')]],
    [true, 'of the first Admin', [by('first_start')]],
    [true, 'of a user created by a provider', [by('oidc')]],
    [true, 'of a user created by SCIM', [by('scim')]],
    [true, 'of a user who was linked', [signedUp, { type: 'IdentityLinked', provider: 'corp', identityHash: 'i' }]],
    [true, 'of a user whom SCIM has adopted', [signedUp, adopted]],
    [true, 'that SCIM has changed', [signedUp, { type: 'UserEmailChanged', email: 's1.x', emailVerified: true }]],
    [false, 'of a user whom an Admin confirmed', [signedUp, { type: 'UserJoinedGroup', group: 'Admin' }]],
  ])('is verified (%s) if it is %s', (verified, _, history) => expect(isVerified(...history)).toBe(verified));

  it.each(['Admin', 'PublishAllowed'])('keeps its user out of %s while unverified, until an Admin confirms the user', (group) => {
    const joined: UserEvent = { type: 'UserJoinedGroup', group };
    given(signedUp).when({ type: 'JoinGroup', group }).refuses('email_unverified');
    given(signedUp).when({ type: 'JoinGroup', group, confirmed: true }).emits(joined, { type: 'UnverifiedUserConfirmed', group });
    given(signedUp, adopted).when({ type: 'JoinGroup', group, confirmed: true }).emits(joined);
    given(signedUp, adopted).when({ type: 'JoinGroup', group }).emits(joined);
    given(signedUp, joined).when({ type: 'JoinGroup', group }).emits();
    given()
      .when({ ...register, origin: 'sign_up', groups: ['red', group] } as UserCommand)
      .refuses('email_unverified');
  });
  it.each(['CreatingBotAllowed', 'red'])('does not keep its user out of %s while unverified', (group) =>
    given(signedUp).when({ type: 'JoinGroup', group }).emits({ type: 'UserJoinedGroup', group }),
  );
});

describe('erasing a user', () => {
  it('is permanent', () => given(registered).when({ type: 'Erase' }).emits(erased));
  it.each<UserCommand>([{ type: 'Erase' }, { type: 'JoinGroup', group: 'red' }, { type: 'Amend', enabled: true }])(
    'leaves no user to change: %j',
    (command) => given(registered, erased).when(command).refuses('user_not_found'),
  );
  it('keeps the address and the identities that have to be released', () =>
    expect(fold(user, [registered, { type: 'IdentityLinked', provider: 'corp', identityHash: 'i' }, erased])).toEqual({
      status: 'erased',
      email: 's1.e',
      linked: ['i'],
    }));
});

describe('the epoch of sessions', () => {
  it('changes with every event that ends sessions, and with no other', () => {
    const epochs = [
      [registered],
      [registered, disabled],
      [registered, disabled, { type: 'UserEnabled' }],
      [registered, { type: 'PasswordChanged', passwordHash: 'n', because: 'user_changed_it' }],
      [registered, { type: 'UserJoinedGroup', group: 'red' }],
    ].map((history) => (fold(user, history as UserEvent[]) as { epoch: number }).epoch);
    expect(epochs).toEqual([0, 1, 1, 1, 0]);
  });
});

describe('an active Admin', () => {
  it('is confirmed without changing the user', () => {
    given(registered).when({ type: 'ConfirmAdmin' }).emits({ type: 'AdminConfirmed' });
    expect(fold(user, [registered, { type: 'AdminConfirmed' }])).toEqual(fold(user, [registered]));
  });
  it('is not a disabled user, so the confirmation of one is ignored', () =>
    given(registered, disabled).when({ type: 'ConfirmAdmin' }).emits());
  it.each<[boolean, UserEvent[]]>([
    [true, [registered]],
    [false, [registered, disabled]],
    [true, [registered, disabled, { type: 'UserEnabled' }]],
    [false, [registered, { type: 'UserLeftGroup', group: 'Admin' }]],
    [false, [registered, erased]],
    [false, [by('service_account')]],
    [false, []],
  ])('is %s after %j', (active, history) => expect(isActiveAdmin(fold(user, history))).toBe(active));
});
