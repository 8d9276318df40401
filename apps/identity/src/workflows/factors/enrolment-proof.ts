import { Injectable } from '@nestjs/common';
import { Clock, Streams } from '@parlance/foundation';
import { hasFactor } from '../../domain/credentials/factors.ts';
import { userNotFound } from '../../domain/user-not-found.ts';
import { requireOfEpoch, session, sessionStream } from '../../domain/credentials/session.ts';
import { passwordRequired, proofToAdd, requireRecentSignIn } from '../../domain/credentials/step-up.ts';
import { user, userStream } from '../../domain/user.ts';
import { SignIn } from '../sign-in.ts';
import { SecondFactors } from './second-factors.ts';

/** The user who adds a second factor. */
export interface Enrolling {
  readonly userId: string;
  readonly sessionId: string | null;
  readonly currentPassword?: string | undefined;
}

/** Checks that the person who adds a second factor is the user. */
@Injectable()
export class EnrolmentProof {
  constructor(
    private readonly streams: Streams,
    private readonly factors: SecondFactors,
    private readonly signIns: SignIn,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws the refusals `step_up_required`, `password_required`, `wrong_password`, `too_many_attempts`, `recent_sign_in_required`, and `invalid_token` if the
   * account has passed to the user of a provider.
   */
  async require({ userId, sessionId, currentPassword }: Enrolling): Promise<void> {
    const owner = await this.streams.load(user, userStream(userId));
    if (owner.status !== 'registered') throw userNotFound();
    const proof = proofToAdd(hasFactor(await this.factors.of(userId)), owner.passwordHash !== null);
    if (proof === 'second_factor') return this.factors.requireFreshIfProtected(userId, sessionId);
    if (proof === 'password') {
      if (currentPassword === undefined) throw passwordRequired();
      await this.signIns.requireOwnPassword(userId, currentPassword);
      return;
    }
    const begun = sessionId === null ? null : await this.streams.load(session, sessionStream(sessionId));
    if (begun !== null) requireOfEpoch(begun, owner.epoch);
    requireRecentSignIn(begun?.status === 'living' ? begun.startedAt : undefined, this.clock.now());
  }
}
