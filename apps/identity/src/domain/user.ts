import { type Decider, type Decision, type Holds, type Instant, refuse } from '@parlance/decider';
import type { Language } from './language.ts';
import { invalidVerificationToken } from './mail/email-verifications.ts';
import { areTooMany, tooManyGroups } from './groups-of-user.ts';
import { decideHolding, type HoldingCommand, type HoldingEvent, holdsAfter } from './holds/held-user.ts';
import { changesProfile, type Profile, type ProfileEvent, profileEvents, profileOf } from './profile.ts';
import { isRefusedForServices, notForServices } from './service-account.ts';
import {
  emailUnverified,
  isUnprovenSignUp,
  needsVerifiedAddress,
  type Origin,
  takeOver,
  verifiesAddress,
  type Verifier,
} from './verified-address.ts';
import { userNotFound } from './user-not-found.ts';

/** Why a password changed. */
export type PasswordReason = 'user_changed_it' | 'reset_by_token' | 'set_by_admin' | 'address_proved_by_another';

interface Facts extends Profile {
  /** Sealed. No rule here reads it. */
  readonly email: string;
  /** Null for users who sign in only through an identity provider. */
  readonly passwordHash: string | null;
  readonly groups: readonly string[];
  /** True if another person has seen the password. */
  readonly mustChangePassword: boolean;
  readonly origin?: Origin;
  /** Set for a service account: the group that owns it. */
  readonly ownerGroup?: string;
  /** The creation ID of that group, null for a built-in group. Absent in accounts of earlier versions. */
  readonly ownerCreation?: string | null;
}

export type UserCommand =
  | ({ type: 'Register'; enabled?: boolean } & Facts)
  /** Ends an interrupted registration whose address another registration needs. */
  | { type: 'Abandon' }
  /** `language`: null for the browser's language in the console, and the installation's in mails. */
  | ({ type: 'Amend'; enabled?: boolean; language?: Language | null; notificationMails?: boolean } & Partial<Profile>)
  | { type: 'ChangeEmail'; email: string }
  /** The user has opened the link in a mail. `email`: the sealed address that the link was for. */
  | { type: 'ConfirmEmail'; email: string }
  /** `confirmed`: an Admin has confirmed the unverified address. */
  | { type: 'JoinGroup'; group: string; confirmed?: boolean }
  | { type: 'LeaveGroup'; group: string }
  /** `knownHash`: the hash that the current password was checked against. */
  | { type: 'ChangePassword'; knownHash: string; passwordHash: string }
  | { type: 'SetPassword'; passwordHash: string }
  | { type: 'OfferPasswordReset'; offerId: string; tokenHash: string; expiresAt: Instant }
  | { type: 'ResetPassword'; tokenHash: string; passwordHash: string; now: Instant }
  | { type: 'LinkIdentity'; provider: string; identityHash: string }
  /** A provisioning client claims the account for its user. */
  | { type: 'Adopt' }
  | { type: 'SetExternalId'; externalId: string | null }
  /** Gives the stream a new version for which the Admin can take a seat (see `administrators.ts`). */
  | { type: 'ConfirmAdmin' }
  /** All services have erased the user once more. */
  | { type: 'EndErasure' }
  | HoldingCommand;

export type UserEvent =
  | ({ type: 'UserRegistered'; emailVerified: boolean } & Facts)
  | { type: 'RegistrationAbandoned' }
  | ProfileEvent
  | { type: 'LanguageChosen'; language: Language | null }
  | { type: 'NotificationMailsChosen'; wanted: boolean }
  | { type: 'UserEmailChanged'; email: string; emailVerified: boolean }
  | { type: 'EmailVerified'; by: Verifier }
  /** The user opened the link in a mail. The password of the sign-up stays. */
  | { type: 'EmailConfirmed' }
  | { type: 'UserDisabled' }
  | { type: 'UserEnabled' }
  | { type: 'UserJoinedGroup'; group: string }
  /** An Admin added the user to a group that needs a verified address, although it is not verified. */
  | { type: 'UnverifiedUserConfirmed'; group: string }
  | { type: 'UserLeftGroup'; group: string }
  | { type: 'PasswordChanged'; passwordHash: string | null; because: PasswordReason }
  | { type: 'PasswordResetOffered'; offerId: string; tokenHash: string; expiresAt: Instant }
  | { type: 'IdentityLinked'; provider: string; identityHash: string }
  | { type: 'ExternalIdSet'; externalId: string | null }
  | { type: 'AdminConfirmed' }
  | HoldingEvent
  | { type: 'UserErased' }
  /** All services have erased the user once more, when no request from before the erasure could still write. */
  | { type: 'ErasureEnded' };

export interface RegisteredUser extends Facts {
  readonly status: 'registered';
  readonly origin: Origin;
  readonly enabled: boolean;
  readonly emailVerified: boolean;
  /** Whether a provisioning client has claimed an account that was created by sign-up. */
  readonly adopted: boolean;
  readonly reset: { readonly offerId: string; readonly tokenHash: string; readonly expiresAt: Instant } | null;
  /** The previous address, to be released. */
  readonly formerEmail: string | null;
  /** Counts the changes that end all sessions. A session of an earlier epoch is over. */
  readonly epoch: number;
  readonly linked: readonly string[];
  /** Counts how often the account has passed to the user of a provider. Tokens created before that are void. */
  readonly takeovers: number;
  readonly holds?: Holds;
  /** The language of the console and of mails. */
  readonly language?: Language | null;
  /** Whether the user gets mails about notifications. */
  readonly notificationMails?: boolean;
}

export type User =
  | { readonly status: 'absent' | 'abandoned' }
  | RegisteredUser
  /** The address and the linked identities are kept until they are released. */
  | { readonly status: 'erased'; readonly email: string; readonly linked: readonly string[]; readonly isEnded?: true };

export const user: Decider<UserCommand, UserEvent, User> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (command.type === 'Register') {
      if (state.status === 'erased') return refuse('conflict', 'user_erased', 'This user was erased. The ID cannot be used again.');
      const { type: _, enabled = true, ...facts } = command;
      if (state.status === 'abandoned') return refuse('conflict', 'email_taken', 'Another user has this e-mail address.');
      if (areTooMany(facts.groups)) return tooManyGroups();
      // A second registration with the same ID is a retry. The first one counts.
      if (state.status !== 'absent') return [];
      const emailVerified = verifiesAddress(facts.origin);
      if (!emailVerified && facts.groups.some(needsVerifiedAddress)) return emailUnverified();
      const registered: UserEvent = { type: 'UserRegistered', ...facts, emailVerified };
      return enabled ? [registered] : [registered, { type: 'UserDisabled' }];
    }
    if (command.type === 'Abandon') return state.status === 'absent' ? [{ type: 'RegistrationAbandoned' }] : [];
    if (command.type === 'EndErasure') return state.status === 'erased' && !state.isEnded ? [{ type: 'ErasureEnded' }] : [];
    if (command.type === 'EndHold' && state.status !== 'registered') return [];
    if (state.status !== 'registered') return userNotFound();
    if (state.origin === 'service_account' && isRefusedForServices(command.type)) return notForServices();
    switch (command.type) {
      case 'Amend':
        return amended(command, state);
      case 'ChangeEmail':
        // Only provisioning clients change addresses, and they have verified them.
        return [{ type: 'UserEmailChanged', email: command.email, emailVerified: true }];
      case 'ConfirmEmail':
        if (command.email !== state.email) return invalidVerificationToken();
        return state.emailVerified ? [] : [{ type: 'EmailConfirmed' }];
      case 'JoinGroup':
        return joined(command, state);
      case 'LeaveGroup':
        return state.groups.includes(command.group) ? [{ type: 'UserLeftGroup', group: command.group }] : [];
      case 'ChangePassword':
        // The password changed during the check, so the caller proved the previous one.
        if (command.knownHash !== state.passwordHash) return refuse('forbidden', 'wrong_password', 'The current password is wrong.');
        return [{ type: 'PasswordChanged', passwordHash: command.passwordHash, because: 'user_changed_it' }];
      case 'SetPassword':
        return [{ type: 'PasswordChanged', passwordHash: command.passwordHash, because: 'set_by_admin' }];
      case 'OfferPasswordReset':
        // A retry. The first answer showed the valid token.
        if (state.reset?.offerId === command.offerId) return [];
        return [{ type: 'PasswordResetOffered', offerId: command.offerId, tokenHash: command.tokenHash, expiresAt: command.expiresAt }];
      case 'ResetPassword':
        if (!canReset(state, command.tokenHash, command.now)) return invalidResetToken();
        return [{ type: 'PasswordChanged', passwordHash: command.passwordHash, because: 'reset_by_token' }];
      case 'LinkIdentity':
        return linked(command, state);
      case 'Adopt':
        return isUnprovenSignUp(state) ? takeOver('scim') : [];
      case 'SetExternalId':
        return [{ type: 'ExternalIdSet', externalId: command.externalId }];
      case 'ConfirmAdmin':
        return isActiveAdmin(state) ? [{ type: 'AdminConfirmed' }] : [];
      case 'Hold':
      case 'EndHold':
      case 'Erase':
        return decideHolding(command, state.holds);
    }
  },

  evolve(state, event) {
    if (event.type === 'UserRegistered') {
      const { type: _, origin = 'first_start', ...facts } = event;
      const fresh = { enabled: true, adopted: false, reset: null, linked: [], formerEmail: null, epoch: 0, takeovers: 0 };
      return { status: 'registered', ...facts, origin, ...fresh };
    }
    if (event.type === 'RegistrationAbandoned') return { status: 'abandoned' };
    if (event.type === 'ErasureEnded') return state.status === 'erased' ? { ...state, isEnded: true } : state;
    if (state.status !== 'registered') return state;
    if (changesProfile(event)) return { ...state, ...profileOf(event) };
    switch (event.type) {
      case 'LanguageChosen':
        return { ...state, language: event.language };
      case 'NotificationMailsChosen':
        return { ...state, notificationMails: event.wanted };
      case 'UserEmailChanged':
        // A link that was sent to the former address no longer sets a password.
        return { ...state, email: event.email, formerEmail: state.email, emailVerified: event.emailVerified, reset: null };
      case 'EmailVerified':
        return { ...state, emailVerified: true, adopted: state.adopted || event.by === 'scim' };
      case 'EmailConfirmed':
        return { ...state, emailVerified: true };
      case 'UserDisabled':
        return { ...state, enabled: false, reset: null, epoch: state.epoch + 1 };
      case 'UserEnabled':
        return { ...state, enabled: true };
      case 'UserJoinedGroup':
        return { ...state, groups: [...state.groups, event.group] };
      case 'UserLeftGroup':
        return { ...state, groups: state.groups.filter((group) => group !== event.group) };
      case 'PasswordChanged':
        return {
          ...state,
          passwordHash: event.passwordHash,
          mustChangePassword: event.because === 'set_by_admin',
          reset: null,
          epoch: state.epoch + 1,
          takeovers: state.takeovers + (event.because === 'address_proved_by_another' ? 1 : 0),
        };
      case 'PasswordResetOffered':
        return { ...state, reset: { offerId: event.offerId, tokenHash: event.tokenHash, expiresAt: event.expiresAt } };
      case 'IdentityLinked':
        // The provider has verified the address of a linked account.
        return { ...state, linked: [...state.linked, event.identityHash], emailVerified: true };
      case 'UnverifiedUserConfirmed':
      case 'ExternalIdSet':
      case 'AdminConfirmed':
        return state;
      case 'UserHeld':
      case 'UserHoldEnded':
        return { ...state, holds: holdsAfter(event, state.holds) };
      case 'UserErased':
        return { status: 'erased', email: state.email, linked: state.linked };
    }
  },
};

/** Whether this token may set a password now. */
export const canReset = (state: User, tokenHash: string, now: Instant): boolean =>
  state.status === 'registered' && state.reset?.tokenHash === tokenHash && state.reset.expiresAt > now;

/** The same answer for a malformed, unknown, used or expired token, and for an erased user. */
export const invalidResetToken = () =>
  refuse('invalid', 'invalid_reset_token', 'The token is wrong, used or expired. Request another one, or ask an administrator.');

function joined({ group, confirmed }: Extract<UserCommand, { type: 'JoinGroup' }>, state: RegisteredUser): Decision<UserEvent> {
  if (state.groups.includes(group)) return [];
  const isUnverified = needsVerifiedAddress(group) && !state.emailVerified;
  if (isUnverified && !confirmed) return emailUnverified();
  if (areTooMany([...state.groups, group])) return tooManyGroups();
  return [{ type: 'UserJoinedGroup', group }, ...(isUnverified ? [{ type: 'UnverifiedUserConfirmed', group } as const] : [])];
}

function amended(command: Extract<UserCommand, { type: 'Amend' }>, state: RegisteredUser): UserEvent[] {
  const { enabled, language, notificationMails: wanted } = command;
  const events: UserEvent[] = profileEvents(command, state);
  if (enabled !== undefined && enabled !== state.enabled) events.push({ type: enabled ? 'UserEnabled' : 'UserDisabled' });
  if (language !== undefined && language !== (state.language ?? null)) events.push({ type: 'LanguageChosen', language });
  if (wanted !== undefined && wanted !== (state.notificationMails ?? false)) events.push({ type: 'NotificationMailsChosen', wanted });
  return events;
}

function linked({ provider, identityHash }: Extract<UserCommand, { type: 'LinkIdentity' }>, state: RegisteredUser): UserEvent[] {
  if (state.linked.includes(identityHash)) return [];
  const link: UserEvent = { type: 'IdentityLinked', provider, identityHash };
  return isUnprovenSignUp(state) ? [link, ...takeOver('oidc')] : [link];
}

/** Converts events written until 0.2.0 to the current form. Until then only provisioning clients changed addresses. */
export const userUpcasts = {
  UserRegistered: [(fields: { readonly origin?: Origin }) => ({ ...fields, emailVerified: verifiesAddress(fields.origin) })],
  UserEmailChanged: [(fields: object) => ({ ...fields, emailVerified: true })],
};

/** Whether the rule of the last Admin counts this user. A service account cannot sign in, so it is not counted. */
export const isActiveAdmin = (state: User): boolean =>
  state.status === 'registered' && state.enabled && state.groups.includes('Admin') && state.origin !== 'service_account';

export const userStream = (userId: string) => `user-${userId}`;
