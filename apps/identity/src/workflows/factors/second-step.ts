import { Injectable } from '@nestjs/common';
import { Clock } from '@parlance/foundation';
import { nameSchemas } from '@parlance/openapi';
import { RequestContext } from '@parlance/observability';
import { z } from 'zod';
import { ChallengeTokens } from '../../adapters/factors/challenge-tokens.ts';
import { hasFactor, invalidChallenge } from '../../domain/credentials/factors.ts';
import { Sessions, type SessionTokens } from '../sessions.ts';
import type { PasskeyRequest } from './passkey-options.ts';
import { type GivenProof, SecondFactors } from './second-factors.ts';

/** The answer to a right password of a user with a second factor. */
export const SecondFactorRequired = z.object({
  second_factor_required: z.literal(true),
  challenge_token: z.string().meta({ 'x-secret': true, description: 'For POST /auth/second-factor. Valid once, for five minutes.' }),
  methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
});
export type SecondFactorRequired = z.infer<typeof SecondFactorRequired>;

nameSchemas({ SecondFactorRequired });

/** The second step of a sign-in with a password. */
@Injectable()
export class SecondStep {
  constructor(
    private readonly factors: SecondFactors,
    private readonly challenges: ChallengeTokens,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** Null if the user has no second factor. `epoch`: the user's epoch when the password was proved. */
  async after(userId: string, epoch: number): Promise<SecondFactorRequired | null> {
    const known = await this.factors.of(userId);
    if (!hasFactor(known)) return null;
    const { token } = this.challenges.mint('sign_in', userId, epoch, this.clock.now());
    const methods: SecondFactorRequired['methods'] = [];
    if (known.totp) methods.push('totp');
    if (known.passkeys.length > 0) methods.push('passkey');
    if (known.recoveryHashes.length > 0) methods.push('recovery_code');
    return { second_factor_required: true, challenge_token: token, methods };
  }

  /** For a passkey of the user. Its challenge is the ID in the token. Throws the refusals `invalid_challenge`, `no_passkey` and `passkeys_unavailable`. */
  async passkeyOptions(challengeToken: string): Promise<PasskeyRequest> {
    const { userId, id } = this.challenges.open('sign_in', challengeToken, this.clock.now());
    if (userId === null) throw invalidChallenge();
    return { options: await this.factors.passkeyOptions(userId, id) };
  }

  /** Throws the refusals `invalid_challenge`, `wrong_second_factor`, `too_many_attempts`, `user_disabled` and `wrong_credentials`. */
  async complete(challengeToken: string, given: GivenProof): Promise<SessionTokens> {
    const challenge = this.challenges.open('sign_in', challengeToken, this.clock.now());
    const { userId, epoch } = challenge;
    if (userId === null || epoch === null) throw invalidChallenge();
    RequestContext.concern(userId);
    const factorAt = await this.factors.prove(userId, given, challenge);
    RequestContext.identify({ userId, groups: [], sessionId: null, kind: 'user' });
    return this.sessions.begin(userId, 'password', { epoch, factorAt });
  }
}
