import { refuse } from '@parlance/decider';

/**
 * Who created a user: an unknown caller, an administrator, the first start, or an identity provider. Administrators also create service
 * accounts. An invited user has proved the address with the link in the mail.
 */
export type Origin = 'sign_up' | 'admin' | 'invitation' | 'first_start' | 'oidc' | 'scim' | 'service_account';

/** The kind of provider that verified the address. */
export type Verifier = 'oidc' | 'scim';

/** These groups affect other users. A user with an unverified address joins them only if an Admin confirms it. */
const GROUPS_FOR_VERIFIED: ReadonlySet<string> = new Set(['Admin', 'PublishAllowed']);
export const needsVerifiedAddress = (group: string): boolean => GROUPS_FOR_VERIFIED.has(group);

interface SignUpState {
  readonly origin: Origin;
  readonly linked: readonly string[];
  readonly adopted: boolean;
}

/** Whether a user of this origin has a verified address. An Admin and the operator vouch for users that they create. */
export const verifiesAddress = (origin: Origin = 'first_start'): boolean => origin !== 'sign_up';

export const emailUnverified = () =>
  refuse(
    'conflict',
    'email_unverified',
    'The e-mail address of this account is not verified. Send confirm_unverified=true to add the account anyway.',
  );

/** Whether the account was created by sign-up and no provider has verified its address since. */
export const isUnprovenSignUp = (state: SignUpState): boolean => state.origin === 'sign_up' && state.linked.length === 0 && !state.adopted;

/**
 * The provider verified the address, which the sign-up had not. The account now belongs to the provider's user. The password, the
 * offered reset and all sessions of the sign-up are void, because the sign-up may have been by another person.
 */
export const takeOver = (by: Verifier) =>
  [
    { type: 'EmailVerified', by },
    { type: 'PasswordChanged', passwordHash: null, because: 'address_proved_by_another' },
  ] as const;
