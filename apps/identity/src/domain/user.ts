import { type Decider, type Decision, type Instant, refuse } from '@parlance/decider';

/** The maker of a user: an unknown caller, an administrator, the first start, or an identity provider. */
export type Origin = 'sign_up' | 'admin' | 'first_start' | 'oidc' | 'scim';

/** Why a password is another one than before. */
export type PasswordReason = 'user_changed_it' | 'reset_by_token' | 'set_by_admin' | 'address_proved_by_another';

/** A provider that has verified that an address is its user's. */
export type Verifier = 'oidc' | 'scim';

/** Rights that reach other people: an account whose address is not verified gets them only when an Admin confirms it. */
const GROUPS_FOR_VERIFIED: ReadonlySet<string> = new Set(['Admin', 'PublishAllowed']);
export const needsVerifiedAddress = (group: string): boolean => GROUPS_FOR_VERIFIED.has(group);

interface Facts {
  /** Names and e-mail address arrive sealed: no rule here needs to read them. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Null for users who sign in through an identity provider alone. */
  readonly passwordHash: string | null;
  readonly groups: readonly string[];
  /** True for passwords that another person has seen. */
  readonly mustChangePassword: boolean;
  readonly origin?: Origin;
}

export type UserCommand =
  | ({ type: 'Register'; enabled?: boolean } & Facts)
  /** Of a registration that was cut off, when another registration wants its address: it can't be completed any more. */
  | { type: 'Abandon' }
  | { type: 'Amend'; firstName?: string; lastName?: string; enabled?: boolean }
  | { type: 'ChangeEmail'; email: string }
  /** `confirmed`: by an Admin who has seen that the address is not verified. */
  | { type: 'JoinGroup'; group: string; confirmed?: boolean }
  | { type: 'LeaveGroup'; group: string }
  /** `knownHash`: what the current password was checked against. */
  | { type: 'ChangePassword'; knownHash: string; passwordHash: string }
  | { type: 'SetPassword'; passwordHash: string }
  | { type: 'OfferPasswordReset'; offerId: string; tokenHash: string; expiresAt: Instant }
  | { type: 'ResetPassword'; tokenHash: string; passwordHash: string; now: Instant }
  | { type: 'LinkIdentity'; provider: string; identityHash: string }
  /** A provisioning client takes the account for the one of its user. */
  | { type: 'Adopt' }
  | { type: 'SetExternalId'; externalId: string | null }
  /** Gives the stream a version that the seat of an Admin may speak of (see `domain/administrators.ts`). */
  | { type: 'ConfirmAdmin' }
  | { type: 'Erase' };

export type UserEvent =
  | ({ type: 'UserRegistered'; emailVerified: boolean } & Facts)
  | { type: 'RegistrationAbandoned' }
  | { type: 'UserRenamed'; firstName: string; lastName: string }
  | { type: 'UserEmailChanged'; email: string; emailVerified: boolean }
  | { type: 'EmailVerified'; by: Verifier }
  | { type: 'UserDisabled' }
  | { type: 'UserEnabled' }
  | { type: 'UserJoinedGroup'; group: string }
  /** An Admin added the user to a group for verified accounts, although the address is not verified. */
  | { type: 'UnverifiedUserConfirmed'; group: string }
  | { type: 'UserLeftGroup'; group: string }
  | { type: 'PasswordChanged'; passwordHash: string | null; because: PasswordReason }
  | { type: 'PasswordResetOffered'; offerId: string; tokenHash: string; expiresAt: Instant }
  | { type: 'IdentityLinked'; provider: string; identityHash: string }
  | { type: 'ExternalIdSet'; externalId: string | null }
  | { type: 'AdminConfirmed' }
  | { type: 'UserErased' };

export interface RegisteredUser extends Facts {
  readonly status: 'registered';
  readonly origin: Origin;
  readonly enabled: boolean;
  readonly emailVerified: boolean;
  /** Whether a provisioning client has taken the account over from the person who had signed up with its address. */
  readonly adopted: boolean;
  readonly reset: { readonly offerId: string; readonly tokenHash: string; readonly expiresAt: Instant } | null;
  /** The address before this one, to be given back. */
  readonly formerEmail: string | null;
  /** Counts what ends all sessions: one that began in an earlier epoch is over. */
  readonly epoch: number;
  readonly linked: readonly string[];
}

export type User =
  | { readonly status: 'absent' | 'abandoned' }
  | RegisteredUser
  /** What is left of a user is what has to be given back: the address and the links to identities. */
  | { readonly status: 'erased'; readonly email: string; readonly linked: readonly string[] };

export const MOST_GROUPS_OF_USER = 200;
/** Of their names, which every token carries: beyond it, tokens are larger than servers take. */
const MOST_BYTES_OF_GROUPS = 4_000;

export const user: Decider<UserCommand, UserEvent, User> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (command.type === 'Register') {
      if (state.status === 'erased') return refuse('conflict', 'user_erased', 'This user was erased. The id cannot be used again.');
      const { type: _, enabled = true, ...facts } = command;
      if (state.status === 'abandoned') return refuse('conflict', 'email_taken', 'Another user has this e-mail address.');
      if (areTooMany(facts.groups)) return tooManyGroups();
      // A second registration of the same id is a retry: what the first one said counts.
      if (state.status !== 'absent') return [];
      const emailVerified = verifiesAddress(facts.origin);
      if (!emailVerified && facts.groups.some(needsVerifiedAddress)) return emailUnverified();
      const registered: UserEvent = { type: 'UserRegistered', ...facts, emailVerified };
      return enabled ? [registered] : [registered, { type: 'UserDisabled' }];
    }
    if (command.type === 'Abandon') return state.status === 'absent' ? [{ type: 'RegistrationAbandoned' }] : [];
    if (state.status !== 'registered') return refuse('missing', 'user_not_found', 'There is no such user.');
    switch (command.type) {
      case 'Amend':
        return amended(command, state);
      case 'ChangeEmail':
        // Only provisioning clients change addresses, and they know whose they are.
        return [{ type: 'UserEmailChanged', email: command.email, emailVerified: true }];
      case 'JoinGroup':
        return joined(command, state);
      case 'LeaveGroup':
        return state.groups.includes(command.group) ? [{ type: 'UserLeftGroup', group: command.group }] : [];
      case 'ChangePassword':
        // The password was changed while this caller's was being checked: that caller has proved to know the former.
        if (command.knownHash !== state.passwordHash) return refuse('forbidden', 'wrong_password', 'The current password is wrong.');
        return [{ type: 'PasswordChanged', passwordHash: command.passwordHash, because: 'user_changed_it' }];
      case 'SetPassword':
        return [{ type: 'PasswordChanged', passwordHash: command.passwordHash, because: 'set_by_admin' }];
      case 'OfferPasswordReset':
        // A retry: the token that was shown is the first one's.
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
      case 'Erase':
        return [{ type: 'UserErased' }];
    }
  },

  evolve(state, event) {
    if (event.type === 'UserRegistered') {
      const { type: _, origin = 'first_start', ...facts } = event;
      const fresh = { enabled: true, adopted: false, reset: null, linked: [], formerEmail: null, epoch: 0 };
      return { status: 'registered', ...facts, origin, ...fresh };
    }
    if (event.type === 'RegistrationAbandoned') return { status: 'abandoned' };
    if (state.status !== 'registered') return state;
    switch (event.type) {
      case 'UserRenamed':
        return { ...state, firstName: event.firstName, lastName: event.lastName };
      case 'UserEmailChanged':
        return { ...state, email: event.email, formerEmail: state.email, emailVerified: event.emailVerified };
      case 'EmailVerified':
        return { ...state, emailVerified: true, adopted: state.adopted || event.by === 'scim' };
      case 'UserDisabled':
        return { ...state, enabled: false, epoch: state.epoch + 1 };
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
        };
      case 'PasswordResetOffered':
        return { ...state, reset: { offerId: event.offerId, tokenHash: event.tokenHash, expiresAt: event.expiresAt } };
      case 'IdentityLinked':
        // A first link was always by an address that the provider has verified.
        return { ...state, linked: [...state.linked, event.identityHash], emailVerified: true };
      case 'UnverifiedUserConfirmed':
      case 'ExternalIdSet':
      case 'AdminConfirmed':
        return state;
      case 'UserErased':
        return { status: 'erased', email: state.email, linked: state.linked };
    }
  },
};

/** Whether this token sets a password now. */
export const canReset = (state: User, tokenHash: string, now: Instant): boolean =>
  state.status === 'registered' && state.reset?.tokenHash === tokenHash && state.reset.expiresAt > now;

/** The one answer for a token that is malformed, unknown, used, expired, or of a user who is gone. */
export const invalidResetToken = () =>
  refuse('invalid', 'invalid_reset_token', 'The token is wrong, used or expired. Ask an administrator for another one.');

const areTooMany = (groups: readonly string[]): boolean =>
  groups.length > MOST_GROUPS_OF_USER || Buffer.byteLength(groups.join()) > MOST_BYTES_OF_GROUPS;

const tooManyGroups = () =>
  refuse(
    'conflict',
    'too_many_groups',
    `A user is in at most ${MOST_GROUPS_OF_USER} groups, with names of ${MOST_BYTES_OF_GROUPS} bytes in all.`,
  );

function joined({ group, confirmed }: Extract<UserCommand, { type: 'JoinGroup' }>, state: RegisteredUser): Decision<UserEvent> {
  if (state.groups.includes(group)) return [];
  const isUnverified = needsVerifiedAddress(group) && !state.emailVerified;
  if (isUnverified && !confirmed) return emailUnverified();
  if (areTooMany([...state.groups, group])) return tooManyGroups();
  return [{ type: 'UserJoinedGroup', group }, ...(isUnverified ? [{ type: 'UnverifiedUserConfirmed', group } as const] : [])];
}

function amended({ firstName, lastName, enabled }: Extract<UserCommand, { type: 'Amend' }>, state: RegisteredUser): UserEvent[] {
  const events: UserEvent[] = [];
  if (firstName !== undefined || lastName !== undefined)
    events.push({ type: 'UserRenamed', firstName: firstName ?? state.firstName, lastName: lastName ?? state.lastName });
  if (enabled !== undefined && enabled !== state.enabled) events.push({ type: enabled ? 'UserEnabled' : 'UserDisabled' });
  return events;
}

/** Whether the address of a user who is made so is known to be theirs. An Admin and the operator answer for whom they make. */
const verifiesAddress = (origin: Origin = 'first_start'): boolean => origin !== 'sign_up';

const emailUnverified = () =>
  refuse(
    'conflict',
    'email_unverified',
    'The e-mail address of this account is not verified. Send confirm_unverified=true to add the account all the same.',
  );

/** Whether the user signed up, and no provider has said since that the account is theirs. */
const isUnprovenSignUp = (state: RegisteredUser): boolean => state.origin === 'sign_up' && state.linked.length === 0 && !state.adopted;

/**
 * The person who signed up here has not proved that the address is theirs; the provider's user has. From now on the account is the
 * latter's. The password of the former, who may be another person, is void, and so are a reset and all sessions.
 */
const takeOver = (by: Verifier): UserEvent[] => [
  { type: 'EmailVerified', by },
  { type: 'PasswordChanged', passwordHash: null, because: 'address_proved_by_another' },
];

function linked({ provider, identityHash }: Extract<UserCommand, { type: 'LinkIdentity' }>, state: RegisteredUser): UserEvent[] {
  if (state.linked.includes(identityHash)) return [];
  const link: UserEvent = { type: 'IdentityLinked', provider, identityHash };
  return isUnprovenSignUp(state) ? [link, ...takeOver('oidc')] : [link];
}

/** What was written until 0.2.0, in today's form. Addresses were changed by provisioning clients alone. */
export const userUpcasts = {
  UserRegistered: [(fields: { readonly origin?: Origin }) => ({ ...fields, emailVerified: verifiesAddress(fields.origin) })],
  UserEmailChanged: [(fields: object) => ({ ...fields, emailVerified: true })],
};

/** Whether this user can administrate: what the rule of the last Admin counts. */
export const isActiveAdmin = (state: User): boolean => state.status === 'registered' && state.enabled && state.groups.includes('Admin');

export const userStream = (userId: string) => `user-${userId}`;
