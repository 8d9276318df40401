import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { fullName } from '@parlance/contracts';
import { Refusal, refuse } from '@parlance/decider';
import { Clock, Streams, userSubject } from '@parlance/foundation';
import { nameSchemas } from '@parlance/openapi';
import { Vault } from '@parlance/privacy';
import { z } from 'zod';
import { Passkeys } from '../../adapters/factors/passkeys.ts';
import { RecoveryCodes } from '../../adapters/factors/recovery-codes.ts';
import type { RegistrationJson } from '../../adapters/factors/webauthn-json.ts';
import { ExecuteFactors } from '../../commands/aggregates.ts';
import { notOffered } from '../../domain/credentials/passkeys.ts';
import { requireOfEpoch, session, sessionStream } from '../../domain/credentials/session.ts';
import { user, userStream } from '../../domain/user.ts';
import { People } from '../../projections/people.ts';
import { RecoveryCodesAnswer } from './factor-answers.ts';
import { EnrolmentProof, type Enrolling } from './enrolment-proof.ts';
import { PasskeyClaims } from './passkey-claims.ts';
import { PasskeyDetails } from './passkey-details.ts';
import { creationOptions, type OfferedPasskey } from './passkey-options.ts';
import { SecondFactors } from './second-factors.ts';

export const AddedPasskey = RecoveryCodesAnswer.extend({ factor_id: z.string() });
export type AddedPasskey = z.infer<typeof AddedPasskey>;

nameSchemas({ AddedPasskey });

/** Adds passkeys to users. */
@Injectable()
export class PasskeyEnrolment {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly factors: SecondFactors,
    private readonly proof: EnrolmentProof,
    private readonly passkeys: Passkeys,
    private readonly details: PasskeyDetails,
    private readonly claims: PasskeyClaims,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly people: People,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `passkeys_unavailable`, `too_many_passkeys` and the refusals of `EnrolmentProof`. */
  async offer(enrolling: Enrolling, factorId: string): Promise<OfferedPasskey> {
    const { userId } = enrolling;
    const { rpId } = this.passkeys;
    await this.proof.require(enrolling);
    const { state } = await this.commands.execute(new ExecuteFactors(userId, { type: 'OfferPasskey', factorId, now: this.clock.now() }));
    const person = await this.people.byId(userId);
    const owner = { id: userId, email: person.email, name: fullName(person) };
    const challenge = this.passkeys.challengeFor(userId, factorId);
    return { factor_id: factorId, options: creationOptions(challenge, rpId, owner, await this.details.of(state.passkeys)) };
  }

  /**
   * The session has a fresh second factor afterwards. A repeated request answers the same, without recovery codes.
   * Throws the refusals `passkey_not_offered`, `invalid_passkey`, `passkey_exists`, `passkey_taken`, `too_many_passkeys`, `step_up_required`, and
   * `invalid_token` if the session has ended meanwhile.
   */
  async confirm(userId: string, sessionId: string | null, name: string, registration: RegistrationJson): Promise<AddedPasskey> {
    await this.factors.requireFreshIfProtected(userId, sessionId);
    const takeovers = await this.takeoversOf(userId, sessionId);
    const credentialHash = this.passkeys.hashOf(registration.id);
    const { passkeys, passkeyOffer } = await this.factors.of(userId);
    const factorId = (passkeyOffer ?? passkeys.find((known) => known.credentialHash === credentialHash))?.factorId;
    if (factorId === undefined) throw notOffered();
    const made = await this.passkeys.registered(registration, this.passkeys.challengeFor(userId, factorId));
    if (made === null) throw invalidPasskey();
    const { counter, backupEligible, backedUp, ...facts } = made;
    const details = await this.vault.sealJson(userSubject(userId), { ...facts, name });
    const now = this.clock.now();
    const { codes, hashes: recoveryHashes } = this.recoveryCodes.mint(userId);
    const credential = { credentialHash, details, counter, backupEligible, backedUp };
    const confirm = { type: 'ConfirmPasskey', factorId, credential, takeovers, recoveryHashes, now } as const;
    const { written, events } = await this.holding(userId, credentialHash, factorId, () =>
      this.commands.execute(new ExecuteFactors(userId, confirm)),
    );
    if (written) await this.factors.markSession(sessionId, now);
    const hasCodes = events.some(({ event }) => event.type === 'RecoveryCodesMade');
    return { factor_id: factorId, ...(hasCodes && { recovery_codes: [...codes] }) };
  }

  /** Throws the refusal `invalid_token`. */
  private async takeoversOf(userId: string, sessionId: string | null): Promise<number> {
    const owner = await this.streams.load(user, userStream(userId));
    if (owner.status !== 'registered') return 0;
    if (sessionId !== null) requireOfEpoch(await this.streams.load(session, sessionStream(sessionId)), owner.epoch);
    return owner.takeovers;
  }

  /** Adds a passkey while the user has the claim of the credential. The claim is checked again, in case it was released meanwhile. */
  private async holding<Result>(userId: string, credentialHash: string, factorId: string, add: () => Promise<Result>): Promise<Result> {
    await this.claims.claim(userId, credentialHash);
    let result: Result;
    try {
      result = await add();
    } catch (error) {
      if (error instanceof Refusal) await this.releaseUnused(userId, credentialHash);
      throw error;
    }
    try {
      await this.claims.claim(userId, credentialHash);
    } catch (error) {
      if (error instanceof Refusal) await this.commands.execute(new ExecuteFactors(userId, { type: 'Remove', factorId }));
      throw error;
    }
    return result;
  }

  private async releaseUnused(userId: string, credentialHash: string): Promise<void> {
    const { passkeys } = await this.factors.of(userId);
    if (!passkeys.some((passkey) => passkey.credentialHash === credentialHash)) await this.claims.release(userId, [credentialHash]);
  }
}

const invalidPasskey = () => {
  const message = 'must be the answer of the authenticator to the newest options, in a page of this installation';
  return refuse('invalid', 'invalid_passkey', `The field credential ${message}.`, { errors: [{ path: 'credential', message }] });
};
