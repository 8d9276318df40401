import { createHmac } from 'node:crypto';
import type { CommandBus } from '@nestjs/cqrs';
import type { Vault } from '@parlance/privacy';
import type { Streams } from '@parlance/service-kit';
import type { Passwords } from '../adapters/passwords.ts';
import { emailClaim, emailStream } from '../domain/email-claim.ts';
import { user, userStream } from '../domain/user.ts';
import { ExecuteEmailClaim } from './email-claim.ts';
import { ExecuteUser } from './user.ts';

export interface NewUser {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  readonly groups: readonly string[];
  readonly mustChangePassword: boolean;
}

/** Two streams take part in a registration: first the address is claimed, then the user is made. Cut off in between, it can be repeated. */
export class Registration {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly passwords: Passwords,
    private readonly emailKey: Uint8Array,
  ) {}

  async register(userId: string, person: NewUser): Promise<void> {
    const subject = { id: `user:${userId}` };
    const [email, firstName, lastName, passwordHash] = await Promise.all([
      this.vault.seal(subject, person.email),
      this.vault.seal(subject, person.firstName),
      this.vault.seal(subject, person.lastName),
      this.passwords.hash(person.password),
    ]);
    await this.commands.execute(new ExecuteEmailClaim(this.hashOf(person.email), { type: 'Claim', userId }));
    const { groups, mustChangePassword } = person;
    await this.commands.execute(
      new ExecuteUser(userId, { type: 'Register', email, firstName, lastName, passwordHash, groups, mustChangePassword }),
    );
  }

  async isRegistered(userId: string): Promise<boolean> {
    return (await this.streams.load(user, userStream(userId))).status === 'registered';
  }

  /** Who holds this address, whatever its case; null when nobody does. */
  async holderOf(email: string): Promise<string | null> {
    return (await this.streams.load(emailClaim, emailStream(this.hashOf(email)))).userId;
  }

  /** Keyed, so that the log doesn't tell who is there to somebody who tries addresses out. */
  private hashOf(email: string): string {
    return createHmac('sha256', this.emailKey).update(email.trim().toLowerCase()).digest('hex');
  }
}
