import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock, userSubject } from '@parlance/foundation';
import { type Sealed, Shredded, Vault } from '@parlance/privacy';
import { RecoveryCodes } from '../../adapters/factors/recovery-codes.ts';
import { newTotpSecret, totpUri } from '../../adapters/factors/totp.ts';
import { ExecuteFactors } from '../../commands/aggregates.ts';
import { totpNotOffered } from '../../domain/credentials/factors.ts';
import { userNotFound } from '../../domain/user-not-found.ts';
import { People } from '../../projections/people.ts';
import { EnrolmentProof, type Enrolling } from './enrolment-proof.ts';
import type { OfferedTotp, RecoveryCodesAnswer } from './factor-answers.ts';
import { SecondFactors } from './second-factors.ts';

/** Adds authenticator apps to users. */
@Injectable()
export class TotpEnrolment {
  constructor(
    private readonly commands: CommandBus,
    private readonly factors: SecondFactors,
    private readonly proof: EnrolmentProof,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly people: People,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** The first answer to a request shows the secret. Throws the refusal `totp_exists` and the refusals of `EnrolmentProof`. */
  async offer(enrolling: Enrolling, factorId: string): Promise<OfferedTotp> {
    const { userId } = enrolling;
    await this.proof.require(enrolling);
    const plain = newTotpSecret();
    const secret = await this.sealed(userId, plain);
    const { written } = await this.commands.execute(new ExecuteFactors(userId, { type: 'OfferTotp', factorId, secret }));
    if (!written) return { factor_id: factorId };
    const { email } = await this.people.byId(userId);
    return { factor_id: factorId, secret: plain, otpauth_uri: totpUri(plain, email) };
  }

  /**
   * The session has a fresh second factor afterwards. `named`: the ID of the offer, if the caller names it. Throws the refusals
   * `totp_not_offered` and `wrong_code`.
   */
  async confirm(userId: string, sessionId: string | null, code: string, named?: string): Promise<RecoveryCodesAnswer> {
    const { offered } = await this.factors.of(userId);
    if (!offered) throw totpNotOffered();
    const now = this.clock.now();
    const factorId = named ?? offered.factorId;
    const step = await this.factors.stepOf(offered.secret, code, now);
    const { codes, hashes: recoveryHashes } = this.recoveryCodes.mint(userId);
    const { events } = await this.commands.execute(
      new ExecuteFactors(userId, { type: 'ConfirmTotp', factorId, step, recoveryHashes, now }),
    );
    await this.factors.markSession(sessionId, now);
    return events.some(({ event }) => event.type === 'RecoveryCodesMade') ? { recovery_codes: [...codes] } : {};
  }

  private async sealed(userId: string, text: string): Promise<Sealed> {
    try {
      return await this.vault.seal(userSubject(userId), text);
    } catch (error) {
      throw error instanceof Shredded ? userNotFound() : error;
    }
  }
}
