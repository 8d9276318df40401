import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { LocalMasterKey, MasterKey } from '@parlance/privacy';
import { CHALLENGE_VALID_MILLIS, invalidChallenge } from '../../domain/credentials/factors.ts';

/** What a challenge token may be used for. */
export type ChallengePurpose = 'sign_in' | 'passkey_sign_in' | 'step_up';

export interface OpenedChallenge {
  readonly id: string;
  readonly userId: string | null;
  /** The user's epoch when the password was verified. */
  readonly epoch: number | null;
  readonly expiresAt: Instant;
}

/**
 * Sealed challenge tokens: any replica can read them, and nothing is stored until a challenge is answered. The stream of the user's factors
 * remembers answered challenges until they expire.
 */
@Injectable()
export class ChallengeTokens {
  private readonly seal: LocalMasterKey;

  constructor(master: MasterKey) {
    this.seal = new LocalMasterKey(master.derive('second-factor-challenges'));
  }

  mint(purpose: ChallengePurpose, userId: string | null, epoch: number | null, now: Instant): { id: string; token: string } {
    const id = randomBytes(32).toString('base64url');
    const opened: OpenedChallenge = { id, userId, epoch, expiresAt: Instant.plus(now, CHALLENGE_VALID_MILLIS) };
    return { id, token: this.seal.wrap(Buffer.from(JSON.stringify(opened)), purpose) };
  }

  /** Throws the refusal `invalid_challenge`. */
  open(purpose: ChallengePurpose, token: string, now: Instant): OpenedChallenge {
    const opened = this.read(purpose, token);
    if (opened === null || opened.expiresAt <= now) throw invalidChallenge();
    return opened;
  }

  private read(purpose: ChallengePurpose, token: string): OpenedChallenge | null {
    try {
      return JSON.parse(Buffer.from(this.seal.unwrap(token, purpose)).toString()) as OpenedChallenge;
    } catch {
      // It was changed, made for another purpose, or sealed under another master key.
      return null;
    }
  }
}
