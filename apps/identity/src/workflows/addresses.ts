import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { MasterKey, type Sealed, Vault } from '@parlance/privacy';
import { Clock, Streams } from '@parlance/foundation';
import { type EmailClaim, emailClaim, emailStream } from '../domain/email-claim.ts';
import { type User, user, userStream } from '../domain/user.ts';
import { ExecuteEmailClaim, ExecuteUser } from '../commands/aggregates.ts';
import { normalAddress } from './normal-address.ts';

/** A registration takes less than this. One that takes longer counts as interrupted, and can no longer be completed. */
const REGISTRATION_MILLIS = 2_000;
const PAUSE_MILLIS = 200;
const ATTEMPTS = 5 + REGISTRATION_MILLIS / PAUSE_MILLIS;
/** A change of an address takes less than this. A claim that is unused after this time was left by a crash. */
const UNUSED_CLAIM_MILLIS = 10 * 60_000;

/**
 * The e-mail addresses of users. A claim reserves an address for a user, and the user's own stream has the address. A claim whose user
 * does not have the address was left by a crash. Nobody can sign in with it, and the next user who wants the address takes it over.
 */
@Injectable()
export class Addresses {
  private readonly key: Uint8Array;

  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly clock: Clock,
    master: MasterKey,
  ) {
    this.key = master.derive('email-claims');
  }

  /** Waits for a registration in progress with the same address. Throws the refusal `email_taken`. */
  async claim(userId: string, email: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.execute(email, { type: 'Claim', userId, now: this.clock.now() });
        return;
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'email_taken') || attempt === ATTEMPTS) throw error;
        const claim = await this.claimOf(email);
        const from = claim.userId;
        if (from === null) continue;
        const left = await this.isLeftOver(claim, from, email);
        if (left === 'no') throw error;
        if (left === 'perhaps') await this.pause(PAUSE_MILLIS);
        else if (await this.takeOver(email, from, userId)) return;
      }
    }
  }

  async release(userId: string, email: string): Promise<void> {
    await this.execute(email, { type: 'Release', userId });
  }

  /** The user ID of the address, in any spelling. Null if no user has it. */
  async holderOf(email: string): Promise<string | null> {
    const { userId } = await this.claimOf(email);
    if (userId === null) return null;
    return (await this.has(await this.userOf(userId), email)) ? userId : null;
  }

  /** As `holderOf`, by the hash of the address. */
  async holderOfHash(hash: string): Promise<string | null> {
    const { userId } = await this.streams.load(emailClaim, emailStream(hash));
    const state = userId === null ? null : await this.userOf(userId);
    if (state?.status !== 'registered') return null;
    const own = await this.vault.open(state.email as Sealed);
    return own !== null && this.hashOf(own) === hash ? userId : null;
  }

  /** The user that has this address or is being registered with it, for callers that can continue that registration. */
  async claimantOf(email: string): Promise<{ userId: string; isThere: boolean } | null> {
    const { userId } = await this.claimOf(email);
    if (userId === null) return null;
    const state = await this.userOf(userId);
    const isThere = await this.has(state, email);
    return isThere || state.status === 'absent' ? { userId, isThere } : null;
  }

  /** A keyed hash, so that a reader of the log cannot test which addresses have an account. */
  hashOf(email: string): string {
    return createHmac('sha256', this.key).update(normalAddress(email)).digest('hex');
  }

  areSame(one: string, other: string): boolean {
    return normalAddress(one) === normalAddress(other);
  }

  private async isLeftOver({ since }: EmailClaim, holder: string, email: string): Promise<'yes' | 'no' | 'perhaps'> {
    const age = this.clock.now() - since;
    let state = await this.userOf(holder);
    if (state.status === 'absent') {
      if (age < REGISTRATION_MILLIS) return 'perhaps';
      // From now on, the other registration cannot be completed, so no two users get one address.
      state = (await this.commands.execute(new ExecuteUser(holder, { type: 'Abandon' }))).state;
    }
    if (state.status !== 'registered') return 'yes';
    return age > UNUSED_CLAIM_MILLIS && !(await this.has(state, email)) ? 'yes' : 'no';
  }

  /** False if another request was faster. */
  private async takeOver(email: string, from: string, userId: string): Promise<boolean> {
    try {
      await this.execute(email, { type: 'TakeOver', from, userId, now: this.clock.now() });
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'email_taken') return false;
      throw error;
    }
  }

  private async has(state: User, email: string): Promise<boolean> {
    if (state.status !== 'registered') return false;
    const own = await this.vault.open(state.email as Sealed);
    return own !== null && this.areSame(own, email);
  }

  protected pause(millis: number): Promise<unknown> {
    return setTimeout(millis);
  }

  private claimOf(email: string): Promise<EmailClaim> {
    return this.streams.load(emailClaim, emailStream(this.hashOf(email)));
  }

  private userOf(userId: string): Promise<User> {
    return this.streams.load(user, userStream(userId));
  }

  private execute(email: string, command: ConstructorParameters<typeof ExecuteEmailClaim>[1]) {
    return this.commands.execute(new ExecuteEmailClaim(this.hashOf(email), command));
  }
}
