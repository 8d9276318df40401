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

/** A registration that goes on is done in less; one that takes longer is taken for cut off, and can't be ended then. */
const REGISTRATION_MILLIS = 2_000;
const PAUSE_MILLIS = 200;
const ATTEMPTS = 5 + REGISTRATION_MILLIS / PAUSE_MILLIS;
/** No change of an address takes as long; so a claim that its holder has made no use of by then was left over. */
const UNUSED_CLAIM_MILLIS = 10 * 60_000;

/**
 * Who has which e-mail address. The claim says who may have it, the user's own stream whether they do: a claim without
 * that is what a death between the two has left, lets no user sign in, and is taken over by the next who wants the address.
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

  /** Waits for a registration with the same address that goes on at this moment. Throws the refusal `email_taken`. */
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

  /** Who has this address, however it is written; null when no user has it. */
  async holderOf(email: string): Promise<string | null> {
    const { userId } = await this.claimOf(email);
    if (userId === null) return null;
    return (await this.has(await this.userOf(userId), email)) ? userId : null;
  }

  /** Who has this address, or is just being made with it: for callers that may go on with that, rather than begin again. */
  async claimantOf(email: string): Promise<{ userId: string; isThere: boolean } | null> {
    const { userId } = await this.claimOf(email);
    if (userId === null) return null;
    const state = await this.userOf(userId);
    const isThere = await this.has(state, email);
    return isThere || state.status === 'absent' ? { userId, isThere } : null;
  }

  /** Keyed, so that the log doesn't tell a reader who tries addresses out which of them have an account. */
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
      // From now on it can't be made any more, so that two don't end up with one address.
      state = (await this.commands.execute(new ExecuteUser(holder, { type: 'Abandon' }))).state;
    }
    if (state.status !== 'registered') return 'yes';
    return age > UNUSED_CLAIM_MILLIS && !(await this.has(state, email)) ? 'yes' : 'no';
  }

  /** False when another request was quicker. */
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
