import { createHmac } from 'node:crypto';
import type { CommandBus } from '@nestjs/cqrs';
import type { Sealed, Vault } from '@parlance/privacy';
import { etagOf, type Streams } from '@parlance/service-kit';
import type { Passwords } from '../adapters/passwords.ts';
import { emailClaim, emailStream } from '../domain/email-claim.ts';
import { type Origin, user, userStream } from '../domain/user.ts';
import type { Administration } from './administration.ts';
import { ExecuteEmailClaim } from './email-claim.ts';
import { ExecuteUser } from './user.ts';

export interface NewUser {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Null for whoever signs in through an identity provider alone. */
  readonly password: string | null;
  readonly groups: readonly string[];
  readonly mustChangePassword: boolean;
  readonly origin: Origin;
}

/** What personal content of a user is sealed under. */
export const userSubject = (userId: string) => ({ id: `user:${userId}` });

/** Two streams take part in a registration: first the address is claimed, then the user is made. Cut off in between, it can be repeated. */
export class Registration {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly administration: Administration,
    private readonly vault: Vault,
    private readonly passwords: Passwords,
    private readonly emailKey: Uint8Array,
  ) {}

  /** False when the user was there: a retry, whose password is not the one that counts. Throws the refusal `email_taken`. */
  async register(userId: string, person: NewUser): Promise<boolean> {
    const [email, firstName, lastName, passwordHash] = await Promise.all([
      this.seal(userId, person.email),
      this.seal(userId, person.firstName),
      this.seal(userId, person.lastName),
      person.password === null ? null : this.passwords.hash(person.password),
    ]);
    await this.commands.execute(new ExecuteEmailClaim(this.hashOf(person.email), { type: 'Claim', userId }));
    const { groups, mustChangePassword, origin } = person;
    const facts = { email, firstName, lastName, passwordHash, groups, mustChangePassword, origin };
    try {
      return (await this.administration.raise(userId, { type: 'Register', ...facts })).written;
    } catch (error) {
      // Nobody will ever have this id again, so nobody else would give the address back.
      if ((error as { code?: string }).code === 'user_erased') await this.release(userId, person.email);
      throw error;
    }
  }

  /** The new address is claimed before the user has it, and the former given back after: at no time has anybody else either. */
  async changeEmail(userId: string, email: string): Promise<void> {
    const { state, version } = await this.streams.look(user, userStream(userId));
    const former = state.status === 'registered' ? await this.vault.open(state.email as Sealed) : null;
    await this.commands.execute(new ExecuteEmailClaim(this.hashOf(email), { type: 'Claim', userId }));
    const sealed = await this.seal(userId, email);
    await this.commands.execute(new ExecuteUser(userId, { type: 'ChangeEmail', email: sealed }, etagOf(version)));
    if (former !== null && this.hashOf(former) !== this.hashOf(email)) await this.release(userId, former);
  }

  async release(userId: string, email: string): Promise<void> {
    await this.commands.execute(new ExecuteEmailClaim(this.hashOf(email), { type: 'Release', userId }));
  }

  seal(userId: string, text: string): Promise<Sealed> {
    return this.vault.seal(userSubject(userId), text);
  }

  async isRegistered(userId: string): Promise<boolean> {
    return (await this.streams.load(user, userStream(userId))).status === 'registered';
  }

  /** Who holds this address, whatever its case; null when nobody does. */
  async holderOf(email: string): Promise<string | null> {
    return (await this.streams.load(emailClaim, emailStream(this.hashOf(email)))).userId;
  }

  /** Keyed, so that the log doesn't tell who is there to somebody who tries addresses out. */
  hashOf(email: string): string {
    return createHmac('sha256', this.emailKey).update(email.trim().toLowerCase()).digest('hex');
  }
}
