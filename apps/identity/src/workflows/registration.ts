import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { isSealed, type Sealed, Shredded, Vault } from '@parlance/privacy';
import { RequestContext } from '@parlance/observability';
import { Streams, userSubject } from '@parlance/foundation';
import { Passwords } from '../adapters/passwords.ts';
import { type Origin, user, userStream } from '../domain/user.ts';
import { Addresses } from './addresses.ts';
import { AdminSeats } from './admin-seats.ts';
import { ExecuteUser } from '../commands/aggregates.ts';

export interface NewUser {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Null for users who sign in through an identity provider alone. */
  readonly password: string | null;
  readonly groups: readonly string[];
  readonly mustChangePassword: boolean;
  readonly origin: Origin;
  /** False: the user may not sign in yet. */
  readonly enabled?: boolean;
}

/** Two streams take part in a registration: first the address is claimed, then the user is made. Cut off in between, it can be repeated. */
@Injectable()
export class Registration {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly adminSeats: AdminSeats,
    private readonly vault: Vault,
    private readonly passwords: Passwords,
  ) {}

  /** False when the user was there: a retry, whose password is not the one that counts. Throws the refusal `email_taken`. */
  async register(userId: string, person: NewUser): Promise<boolean> {
    const [email, firstName, lastName, passwordHash] = await Promise.all([
      this.seal(userId, person.email),
      this.seal(userId, person.firstName),
      this.seal(userId, person.lastName),
      person.password === null ? null : this.passwordHash(userId, person.password),
    ]);
    RequestContext.concern(userId);
    await this.addresses.claim(userId, person.email);
    const { password: _, ...rest } = person;
    try {
      return (await this.adminSeats.changeThenTakeSeat(userId, { type: 'Register', ...rest, email, firstName, lastName, passwordHash }))
        .written;
    } catch (error) {
      // This id is never used again, so no later request would give the address back.
      if (error instanceof Refusal && error.code === 'user_erased') await this.addresses.release(userId, person.email);
      throw error;
    }
  }

  /** The new address is claimed before the user has it, and the former given back after: at no time does another user have either. */
  async changeEmail(userId: string, email: string): Promise<void> {
    const sealed = await this.seal(userId, email);
    await this.addresses.claim(userId, email);
    try {
      const { state } = await this.commands.execute(new ExecuteUser(userId, { type: 'ChangeEmail', email: sealed }));
      // The one that this very change has replaced, also when another request changes the address at the same time.
      const former =
        state.status === 'registered' && state.formerEmail !== null ? await this.vault.open(state.formerEmail as Sealed) : null;
      if (former !== null && !this.addresses.areSame(former, email)) await this.addresses.release(userId, former);
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') await this.addresses.release(userId, email);
      throw error;
    }
  }

  /** As events carry it: sealed, so that it goes with the user. */
  async passwordHash(userId: string, password: string): Promise<string> {
    return this.seal(userId, await this.passwords.hash(password));
  }

  /** Whether this is the password; takes as long where there is none. Those of the first release lie open. */
  async passwordMatches(password: string, kept: string | null): Promise<boolean> {
    const hash = kept !== null && isSealed(kept) ? await this.vault.open(kept) : kept;
    return this.passwords.matches(password, hash);
  }

  /** Throws the refusal `user_erased`: nothing new is kept of an erased user. */
  async seal(userId: string, text: string): Promise<Sealed> {
    try {
      return await this.vault.seal(userSubject(userId), text);
    } catch (error) {
      if (error instanceof Shredded) throw refuse('conflict', 'user_erased', 'This user was erased.');
      throw error;
    }
  }

  async isRegistered(userId: string): Promise<boolean> {
    return (await this.streams.load(user, userStream(userId))).status === 'registered';
  }
}
