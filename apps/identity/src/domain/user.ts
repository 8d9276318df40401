import { type Decider, type Instant, refuse } from '@parlance/decider';

/** Who made a user: somebody unknown, an administrator, the first start, or an identity provider. */
export type Origin = 'sign_up' | 'admin' | 'first_start' | 'oidc' | 'scim';

/** Why a password is another one than before. */
export type PasswordReason = 'user_changed_it' | 'reset_by_token' | 'set_by_admin' | 'address_proved_by_another';

interface Facts {
  /** Names and e-mail address arrive sealed: no rule here needs to read them. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Null for whoever signs in through an identity provider alone. */
  readonly passwordHash: string | null;
  readonly groups: readonly string[];
  /** True for passwords that somebody else has seen. */
  readonly mustChangePassword: boolean;
  readonly origin?: Origin;
}

export type UserCommand =
  | ({ type: 'Register'; enabled?: boolean } & Facts)
  /** Of a registration that was cut off, when somebody else wants its address: it can't be ended any more. */
  | { type: 'Abandon' }
  | { type: 'Amend'; firstName?: string; lastName?: string; enabled?: boolean }
  | { type: 'ChangeEmail'; email: string }
  | { type: 'JoinGroup'; group: string }
  | { type: 'LeaveGroup'; group: string }
  /** `knownHash`: what the current password was checked against. */
  | { type: 'ChangePassword'; knownHash: string; passwordHash: string }
  | { type: 'SetPassword'; passwordHash: string }
  | { type: 'OfferPasswordReset'; offerId: string; tokenHash: string; expiresAt: Instant }
  | { type: 'ResetPassword'; tokenHash: string; passwordHash: string; now: Instant }
  | { type: 'LinkIdentity'; provider: string; identityHash: string }
  | { type: 'SetExternalId'; externalId: string | null }
  /** Gives the stream a version that the seat of an Admin may speak of (see `domain/administrators.ts`). */
  | { type: 'ConfirmAdmin' }
  | { type: 'Erase' };

export type UserEvent =
  | ({ type: 'UserRegistered' } & Facts)
  | { type: 'RegistrationAbandoned' }
  | { type: 'UserRenamed'; firstName: string; lastName: string }
  | { type: 'UserEmailChanged'; email: string }
  | { type: 'UserDisabled' }
  | { type: 'UserEnabled' }
  | { type: 'UserJoinedGroup'; group: string }
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

export const mostGroups = 200;
/** Of their names, which every token carries: beyond it, tokens are larger than servers take. */
const mostBytesOfGroups = 4_000;

export const user: Decider<UserCommand, UserEvent, User> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (command.type === 'Register') {
      if (state.status === 'erased') return refuse('conflict', 'user_erased', 'This user was erased; nobody can have the id again.');
      const { type: _, enabled = true, ...facts } = command;
      if (state.status === 'abandoned') return refuse('conflict', 'email_taken', 'Somebody else has this e-mail address by now.');
      if (areTooMany(facts.groups)) return tooManyGroups();
      // A second registration of the same id is a retry: what the first one said counts.
      if (state.status !== 'absent') return [];
      return enabled ? [{ type: 'UserRegistered', ...facts }] : [{ type: 'UserRegistered', ...facts }, { type: 'UserDisabled' }];
    }
    if (command.type === 'Abandon') return state.status === 'absent' ? [{ type: 'RegistrationAbandoned' }] : [];
    if (state.status !== 'registered') return refuse('missing', 'user_not_found', 'There is no such user.');
    switch (command.type) {
      case 'Amend':
        return amended(command, state);
      case 'ChangeEmail':
        return [{ type: 'UserEmailChanged', email: command.email }];
      case 'JoinGroup':
        if (state.groups.includes(command.group)) return [];
        if (areTooMany([...state.groups, command.group])) return tooManyGroups();
        return [{ type: 'UserJoinedGroup', group: command.group }];
      case 'LeaveGroup':
        return state.groups.includes(command.group) ? [{ type: 'UserLeftGroup', group: command.group }] : [];
      case 'ChangePassword':
        // Somebody changed it while this caller's was being checked: that one has proved to know the former.
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
      return { status: 'registered', ...facts, origin, enabled: true, reset: null, linked: [], formerEmail: null, epoch: 0 };
    }
    if (event.type === 'RegistrationAbandoned') return { status: 'abandoned' };
    if (state.status !== 'registered') return state;
    switch (event.type) {
      case 'UserRenamed':
        return { ...state, firstName: event.firstName, lastName: event.lastName };
      case 'UserEmailChanged':
        return { ...state, email: event.email, formerEmail: state.email };
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
        return { ...state, linked: [...state.linked, event.identityHash] };
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
  groups.length > mostGroups || Buffer.byteLength(groups.join()) > mostBytesOfGroups;

const tooManyGroups = () =>
  refuse('conflict', 'too_many_groups', `A user is in at most ${mostGroups} groups, with names of ${mostBytesOfGroups} bytes in all.`);

function amended({ firstName, lastName, enabled }: Extract<UserCommand, { type: 'Amend' }>, state: RegisteredUser): UserEvent[] {
  const events: UserEvent[] = [];
  if (firstName !== undefined || lastName !== undefined)
    events.push({ type: 'UserRenamed', firstName: firstName ?? state.firstName, lastName: lastName ?? state.lastName });
  if (enabled !== undefined && enabled !== state.enabled) events.push({ type: enabled ? 'UserEnabled' : 'UserDisabled' });
  return events;
}

/**
 * Whoever signed up here has not proved that the address is theirs; the provider's user has. From now on the account is the
 * latter's, and the password of the former, who may be somebody else, is void.
 */
function linked({ provider, identityHash }: Extract<UserCommand, { type: 'LinkIdentity' }>, state: RegisteredUser): UserEvent[] {
  if (state.linked.includes(identityHash)) return [];
  const link: UserEvent = { type: 'IdentityLinked', provider, identityHash };
  return state.origin === 'sign_up' && state.linked.length === 0 && state.passwordHash !== null
    ? [link, { type: 'PasswordChanged', passwordHash: null, because: 'address_proved_by_another' }]
    : [link];
}

/** Whether this user can administrate: what the rule of the last Admin counts. */
export const isActiveAdmin = (state: User): boolean => state.status === 'registered' && state.enabled && state.groups.includes('Admin');

export const userStream = (userId: string) => `user-${userId}`;
