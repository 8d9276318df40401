import { type Decider, Instant, refuse } from '@parlance/decider';

/** An address gets at most one mail in this time, however often one is requested. */
export const VERIFICATION_GAP_MILLIS = 5 * 60_000;
/** How long the link in the mail is valid, from the request. */
export const VERIFICATION_VALID_MILLIS = 86_400_000;

/**
 * Requests for a mail that verifies one e-mail address, whether or not a user has it. As with password resets, a request is first recorded,
 * then answered, and only then is the user looked up. The token of the mail is derived from the mail's ID, so no hash is stored.
 */
export type EmailVerificationsCommand =
  | { type: 'Request'; mailId: string; now: Instant }
  /** The mail is requested, or there is no user to receive it. */
  | { type: 'Settle'; mailId: string }
  /** The address is verified. */
  | { type: 'Use'; mailId: string };

export type EmailVerificationsEvent =
  | { type: 'EmailVerificationRequested'; mailId: string; at: Instant }
  | { type: 'EmailVerificationSettled'; mailId: string }
  | { type: 'EmailVerificationUsed'; mailId: string };

export interface LastVerification {
  readonly mailId: string;
  readonly at: Instant;
  readonly isSettled: boolean;
  readonly isUsed: boolean;
}
export type EmailVerifications = { readonly last: LastVerification | null };

export const emailVerifications: Decider<EmailVerificationsCommand, EmailVerificationsEvent, EmailVerifications> = {
  initialState: { last: null },
  // The stream grows with the requests, over years.
  snapshots: { every: 20, shape: 'last-1' },

  decide(command, { last }) {
    const { mailId } = command;
    switch (command.type) {
      case 'Request':
        // The answer is the same, so that it reveals nothing about other people's requests.
        if (last !== null && (last.mailId === mailId || command.now - last.at < VERIFICATION_GAP_MILLIS)) return [];
        return [{ type: 'EmailVerificationRequested', mailId, at: command.now }];
      case 'Settle':
        return last?.mailId === mailId && !last.isSettled ? [{ type: 'EmailVerificationSettled', mailId }] : [];
      case 'Use':
        return last?.mailId === mailId && !last.isUsed ? [{ type: 'EmailVerificationUsed', mailId }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'EmailVerificationRequested':
        return { last: { mailId: event.mailId, at: event.at, isSettled: false, isUsed: false } };
      case 'EmailVerificationSettled':
        return { last: state.last && { ...state.last, isSettled: true } };
      case 'EmailVerificationUsed':
        return { last: state.last && { ...state.last, isUsed: true } };
    }
  },
};

/** Whether the link of this mail may verify the address now. */
export const canVerify = (last: LastVerification | null, now: Instant): last is LastVerification =>
  last !== null && !last.isUsed && now < Instant.plus(last.at, VERIFICATION_VALID_MILLIS);

/** The same answer for every invalid token: malformed, unknown, used, expired, replaced by a later mail, or for an address that has changed. */
export const invalidVerificationToken = () =>
  refuse('invalid', 'invalid_verification_token', 'The token is wrong, used or expired, or the address has changed. Request another mail.');

export const emailNotVerified = () =>
  refuse(
    'forbidden',
    'email_not_verified',
    'The e-mail address of this account is not verified. Open the link in the mail, or request another mail with POST /auth/email-verification/request.',
  );

export const emailVerificationsStream = (addressHash: string) => `verifications-${addressHash}`;
