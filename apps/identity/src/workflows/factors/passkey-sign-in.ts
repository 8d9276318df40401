import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { ChallengeTokens } from '../../adapters/factors/challenge-tokens.ts';
import { Passkeys } from '../../adapters/factors/passkeys.ts';
import type { AssertionJson } from '../../adapters/factors/webauthn-json.ts';
import { isOfPresentUser } from '../../domain/credentials/passkeys.ts';
import { emailNotVerified } from '../../domain/mail/email-verifications.ts';
import { user, userStream } from '../../domain/user.ts';
import { Sessions, type SessionTokens } from '../sessions.ts';
import { PasskeyClaims } from './passkey-claims.ts';
import { type PasskeyChallenge, requestOptions, userHandleOf } from './passkey-options.ts';
import { SecondFactors } from './second-factors.ts';

/** Signs in with a passkey alone. The authenticator has verified its user, by a PIN or a fingerprint, so these are two factors. */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly streams: Streams,
    private readonly factors: SecondFactors,
    private readonly passkeys: Passkeys,
    private readonly claims: PasskeyClaims,
    private readonly challenges: ChallengeTokens,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The same options for all callers. Nothing is stored. Throws the refusal `passkeys_unavailable`. */
  options(): PasskeyChallenge {
    const { rpId } = this.passkeys;
    const { id, token } = this.challenges.mint('passkey_sign_in', null, null, this.clock.now());
    return { challenge_token: token, options: requestOptions(id, rpId, [], 'required') };
  }

  /**
   * Throws the refusals `invalid_challenge`, `wrong_passkey`, `too_many_attempts`, `provider_required`, `email_not_verified`, `user_disabled`, and
   * `wrong_credentials` if the account was taken over meanwhile. An unknown passkey gets the same answer as a wrong one.
   */
  async complete(challengeToken: string, passkey: AssertionJson): Promise<SessionTokens> {
    const challenge = this.challenges.open('passkey_sign_in', challengeToken, this.clock.now());
    const credentialHash = this.passkeys.hashOf(passkey.id);
    const userId = await this.claims.ownerOf(credentialHash);
    if (userId === null || passkey.response.userHandle !== userHandleOf(userId)) throw wrongPasskey();
    RequestContext.concern(userId);
    // The user is read before the passkey, so that no session begins for a person who loses the account meanwhile.
    const known = await this.streams.load(user, userStream(userId));
    const held = (await this.factors.of(userId)).passkeys.find((each) => each.credentialHash === credentialHash);
    if (known.status !== 'registered' || !held || !isOfPresentUser(held, known.takeovers)) throw wrongPasskey();
    const factorAt = await this.factors.accepted(userId, { passkey, mustVerifyUser: true }, challenge);
    if (factorAt === null) throw wrongPasskey();
    RequestContext.identify({ userId, groups: [], sessionId: null, kind: 'user' });
    // Only the owner of the passkey learns that the account has no password. A provider decides at each sign-in whether its users may still sign in.
    if (known.enabled && known.passwordHash === null) throw providerRequired();
    if (known.enabled && this.config.requireVerifiedEmail && !known.emailVerified) throw emailNotVerified();
    return this.sessions.begin(userId, 'passkey', { epoch: known.epoch, factorAt });
  }
}

const wrongPasskey = () =>
  refuse('unauthenticated', 'wrong_passkey', 'This passkey is not accepted. Try again, or sign in with your password.');
const providerRequired = () =>
  refuse('forbidden', 'provider_required', 'This account has no password. Sign in through your identity provider.');
