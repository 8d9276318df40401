import type { PasskeySignInBody, SecondFactorRequired as Challenge } from './generated/api.ts';
import { ParlanceError } from './parlance-error.ts';

/** The response of an authenticator, as returned by `toJSON` of the credential from `navigator.credentials.get`. */
export type PasskeyAnswer = PasskeySignInBody['passkey'];

/** The code of an authenticator app, a recovery code, or the answer of a passkey. */
export type SecondFactorProof = { readonly code: string } | { readonly recovery_code: string } | { readonly passkey: PasskeyAnswer };

/**
 * Thrown by `signIn` if the password is right and the account has a second factor. It has the code `second_factor_required` and status 0.
 */
export class SecondFactorRequired extends ParlanceError {
  constructor(
    /** For `secondFactor`. Valid for one sign-in, for five minutes. */
    readonly challengeToken: string,
    readonly methods: Challenge['methods'],
  ) {
    super('second_factor_required', 'Complete the sign-in with secondFactor.');
  }
}
