import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { Clock, Streams } from '@parlance/foundation';
import { type Sealed, Vault } from '@parlance/privacy';
import { ChallengeTokens, type OpenedChallenge } from '../../adapters/factors/challenge-tokens.ts';
import { Passkeys } from '../../adapters/factors/passkeys.ts';
import { RecoveryCodes } from '../../adapters/factors/recovery-codes.ts';
import { stepOfCode } from '../../adapters/factors/totp.ts';
import type { AssertionJson } from '../../adapters/factors/webauthn-json.ts';
import { ExecuteFactors, ExecuteSession } from '../../commands/aggregates.ts';
import {
  type FactorKind,
  type Factors,
  factors,
  factorsStream,
  hasFactor,
  invalidChallenge,
  type Proof,
} from '../../domain/credentials/factors.ts';
import { session, sessionStream } from '../../domain/credentials/session.ts';
import { needsSecondFactor, proofToAdd, requireFresh, requireSessionForStepUp } from '../../domain/credentials/step-up.ts';
import { type User, user, userStream } from '../../domain/user.ts';
import type { Assertion } from '../../domain/credentials/passkeys.ts';
import { People } from '../../projections/people.ts';
import type { FactorsOfUser, OwnFactors, RecoveryCodesAnswer } from './factor-answers.ts';
import { PasskeyClaims } from './passkey-claims.ts';
import { PasskeyDetails } from './passkey-details.ts';
import { type PasskeyChallenge, type PasskeyRequestOptions, requestOptions, userHandleOf } from './passkey-options.ts';

/** The proof of a second factor: one of the fields is set. */
export interface GivenProof {
  readonly code?: string | undefined;
  readonly recovery_code?: string | undefined;
  readonly passkey?: AssertionJson | undefined;
  /** Whether the authenticator must have verified its user. Default false. */
  readonly mustVerifyUser?: boolean;
}

/** Second factors of users: listing, proving and removing them. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly people: People,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly passkeys: Passkeys,
    private readonly details: PasskeyDetails,
    private readonly claims: PasskeyClaims,
    private readonly challenges: ChallengeTokens,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  of(userId: string): Promise<Factors> {
    return this.streams.load(factors, factorsStream(userId));
  }

  async shown(userId: string): Promise<OwnFactors> {
    const own = await this.of(userId);
    const { totp, passkeys, recoveryHashes } = own;
    const owner = await this.streams.load(user, userStream(userId));
    const names = new Map((await this.details.of(passkeys)).map(({ factorId, name }) => [factorId, name]));
    const app = totp && { factor_id: totp.factorId, kind: 'totp' as const, create_time: Instant.toSeconds(totp.addedAt) };
    const keys = passkeys.map(({ factorId, addedAt, backedUp }) => ({
      factor_id: factorId,
      kind: 'passkey' as const,
      create_time: Instant.toSeconds(addedAt),
      name: names.get(factorId),
      backed_up: backedUp,
    }));
    return {
      required: this.isRequired(owner),
      proof_to_add: proofToAdd(hasFactor(own), owner.status === 'registered' && owner.passwordHash !== null),
      factors: [...(app ? [app] : []), ...keys],
      recovery_codes_left: recoveryHashes.length,
    };
  }

  /** The factors of a user, for an administrator. Throws the refusal `user_not_found`. */
  async ofUser(userId: string): Promise<FactorsOfUser> {
    await this.people.rowOf(userId);
    const { totp, passkeys, recoveryHashes } = await this.of(userId);
    const shown = (kind: FactorKind, { addedAt, usedAt }: { readonly addedAt: Instant; readonly usedAt?: Instant }) => ({
      kind,
      create_time: Instant.toSeconds(addedAt),
      last_used_time: usedAt === undefined ? null : Instant.toSeconds(usedAt),
    });
    return {
      required: this.isRequired(await this.streams.load(user, userStream(userId))),
      factors: [...(totp ? [shown('totp', totp)] : []), ...passkeys.map((passkey) => shown('passkey', passkey))],
      recovery_codes_left: recoveryHashes.length,
    };
  }

  /** Earlier codes are invalid. Throws the refusals `step_up_required` and `no_second_factor`. */
  async newRecoveryCodes(userId: string, sessionId: string | null): Promise<RecoveryCodesAnswer> {
    await this.requireFreshIfProtected(userId, sessionId);
    const { codes, hashes } = this.recoveryCodes.mint(userId);
    await this.commands.execute(new ExecuteFactors(userId, { type: 'MakeRecoveryCodes', hashes }));
    return { recovery_codes: [...codes] };
  }

  /** Throws the refusals `step_up_required` and `factor_not_found`. */
  async remove(userId: string, sessionId: string | null, factorId: string): Promise<void> {
    await this.requireFreshIfProtected(userId, sessionId);
    await this.commands.execute(new ExecuteFactors(userId, { type: 'Remove', factorId }));
    await this.claims.releaseFormer(userId);
  }

  /** Removes all factors of a user, for an administrator. */
  async reset(userId: string): Promise<void> {
    await this.people.rowOf(userId);
    await this.commands.execute(new ExecuteFactors(userId, { type: 'Reset' }));
    await this.claims.releaseFormer(userId);
  }

  /**
   * Proves a second factor, once. `challenge` is null for a signed-in user. Returns the time of the proof.
   * Throws the refusals `wrong_second_factor`, `too_many_attempts` and `invalid_challenge`.
   */
  async prove(userId: string, given: GivenProof, challenge: OpenedChallenge | null): Promise<Instant> {
    const provedAt = await this.accepted(userId, given, challenge);
    if (provedAt === null) throw wrongSecondFactor();
    return provedAt;
  }

  /** As `prove`, but null if the second factor is wrong. */
  async accepted(userId: string, given: GivenProof, challenge: OpenedChallenge | null): Promise<Instant | null> {
    const now = this.clock.now();
    const proof = await this.proofOf(userId, given, challenge, now);
    const answered = challenge && { id: challenge.id, expiresAt: challenge.expiresAt };
    const { events } = await this.commands.execute(new ExecuteFactors(userId, { type: 'Prove', proof, challenge: answered, now }));
    return events.some(({ event }) => event.type === 'SecondFactorFailed') ? null : now;
  }

  /** For a passkey of the user. Throws the refusals `no_passkey` and `passkeys_unavailable`. */
  async passkeyOptions(userId: string, challengeId: string): Promise<PasskeyRequestOptions> {
    const known = await this.details.of((await this.of(userId)).passkeys);
    if (known.length === 0) throw refuse('conflict', 'no_passkey', 'You have no passkey. Use another second factor.');
    return requestOptions(challengeId, this.passkeys.rpId, known, 'preferred');
  }

  /** As `passkeyOptions`, with a challenge token for `stepUp`. */
  async stepUpOptions(userId: string): Promise<PasskeyChallenge> {
    const { id, token } = this.challenges.mint('step_up', userId, null, this.clock.now());
    return { challenge_token: token, options: await this.passkeyOptions(userId, id) };
  }

  /** Throws the refusals of `prove`. */
  async stepUp(
    userId: string,
    sessionId: string | null,
    { challenge_token, ...given }: GivenProof & { challenge_token?: string },
  ): Promise<void> {
    const challenge = challenge_token === undefined ? null : this.challenges.open('step_up', challenge_token, this.clock.now());
    if (challenge !== null && challenge.userId !== userId) throw invalidChallenge();
    await this.markSession(sessionId, await this.prove(userId, given, challenge));
  }

  /**
   * Throws the refusal `step_up_required`, if the user has a second factor or needs one, and has not proved one in this session within ten
   * minutes.
   */
  async requireFreshIfNeeded(userId: string, sessionId: string | null): Promise<void> {
    if (!hasFactor(await this.of(userId)) && !this.isRequired(await this.streams.load(user, userStream(userId)))) return;
    await this.requireFreshIn(sessionId);
  }

  /** As `requireFreshIfNeeded`, but a user without a factor can add the first one. */
  async requireFreshIfProtected(userId: string, sessionId: string | null): Promise<void> {
    if (hasFactor(await this.of(userId))) await this.requireFreshIn(sessionId);
  }

  private async requireFreshIn(sessionId: string | null): Promise<void> {
    requireSessionForStepUp(sessionId);
    const begun = await this.streams.load(session, sessionStream(sessionId));
    requireFresh(begun.status === 'living' ? begun.provedAt : undefined, this.clock.now());
  }

  private isRequired(owner: User): boolean {
    return owner.status === 'registered' && needsSecondFactor(owner.groups, this.config.requireSecondFactorFor);
  }

  async markSession(sessionId: string | null, now: Instant): Promise<void> {
    if (sessionId !== null) await this.commands.execute(new ExecuteSession(sessionId, { type: 'ProveSecondFactor', now }));
  }

  private async proofOf(userId: string, given: GivenProof, challenge: OpenedChallenge | null, now: Instant): Promise<Proof> {
    const { code = '', recovery_code, passkey } = given;
    if (recovery_code !== undefined) return { kind: 'recovery_code', hash: this.recoveryCodes.hashOf(userId, recovery_code) };
    if (passkey !== undefined) {
      const assertion = challenge && (await this.assertionOf(userId, passkey, challenge.id, given.mustVerifyUser ?? false));
      return { kind: 'passkey', assertion };
    }
    const { totp } = await this.of(userId);
    return { kind: 'totp', step: totp && (await this.stepOf(totp.secret, code, now)) };
  }

  private async assertionOf(userId: string, given: AssertionJson, challenge: string, mustVerifyUser: boolean): Promise<Assertion | null> {
    const hash = this.passkeys.hashOf(given.id);
    const known = (await this.of(userId)).passkeys.find(({ credentialHash }) => credentialHash === hash);
    const { userHandle } = given.response;
    if (!known || (userHandle && userHandle !== userHandleOf(userId))) return null;
    const key = await this.details.one(known);
    const right = key && (await this.passkeys.asserted(given, challenge, key, mustVerifyUser));
    return right && { factorId: known.factorId, ...right };
  }

  /** The time step of a code, or null if the code is wrong. `secret`: sealed. */
  async stepOf(secret: string, code: string, now: Instant): Promise<number | null> {
    const plain = await this.vault.open(secret as Sealed);
    return plain === null ? null : stepOfCode(plain, code, now);
  }
}

const wrongSecondFactor = () =>
  refuse(
    'unauthenticated',
    'wrong_second_factor',
    'The second factor is wrong, or was used before. Wait for the next code of the app, use the passkey again, or use a recovery code.',
  );
