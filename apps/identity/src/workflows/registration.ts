import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { isSealed, type Sealed, Shredded, Vault } from '@parlance/privacy';
import { RequestContext } from '@parlance/observability';
import { Streams, userSubject } from '@parlance/foundation';
import { Passwords } from '../adapters/passwords.ts';
import { type Profile, textsIn } from '../domain/profile.ts';
import { user, userStream } from '../domain/user.ts';
import type { Origin } from '../domain/verified-address.ts';
import { Addresses } from './addresses.ts';
import { AdminSeats } from './admin-seats.ts';
import { ExecuteUser } from '../commands/aggregates.ts';

export interface NewUser extends Profile {
  readonly email: string;
  /** Null for users who sign in only through an identity provider. */
  readonly password: string | null;
  /** Replaces `password` if the caller has already hashed it with `passwordHash`. */
  readonly passwordHash?: string;
  readonly groups: readonly string[];
  readonly mustChangePassword: boolean;
  readonly origin: Origin;
  /** Set for a service account. */
  readonly ownerGroup?: string;
  readonly ownerCreation?: string | null;
  /** False: the user cannot sign in. */
  readonly enabled?: boolean;
}

/** Registers users and changes their addresses. The address is claimed before the user is written. An interrupted registration can be repeated. */
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

  /** False for a retry: the user exists, and the password of the first request is valid. Throws the refusal `email_taken`. */
  async register(userId: string, person: NewUser): Promise<boolean> {
    const [email, profile, passwordHash] = await Promise.all([
      this.seal(userId, person.email),
      this.sealProfile(userId, person),
      person.passwordHash ?? (person.password === null ? null : this.passwordHash(userId, person.password)),
    ]);
    RequestContext.concern(userId);
    await this.addresses.claim(userId, person.email);
    const { password: _, ...rest } = person;
    try {
      return (await this.adminSeats.changeThenTakeSeat(userId, { type: 'Register', ...rest, email, ...profile, passwordHash })).written;
    } catch (error) {
      // This ID is never used again, so no later request would release the address.
      if (error instanceof Refusal && error.code === 'user_erased') await this.addresses.release(userId, person.email);
      throw error;
    }
  }

  /** The new address is claimed before the change and the former released after it, so no other user can take either in between. */
  async changeEmail(userId: string, email: string): Promise<void> {
    const sealed = await this.seal(userId, email);
    await this.addresses.claim(userId, email);
    try {
      const { state } = await this.commands.execute(new ExecuteUser(userId, { type: 'ChangeEmail', email: sealed }));
      // The address that this change replaced, even with concurrent changes.
      const former =
        state.status === 'registered' && state.formerEmail !== null ? await this.vault.open(state.formerEmail as Sealed) : null;
      if (former !== null && !this.addresses.areSame(former, email)) await this.addresses.release(userId, former);
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') await this.addresses.release(userId, email);
      throw error;
    }
  }

  /** The sealed hash for events, which becomes unreadable when the user is erased. */
  async passwordHash(userId: string, password: string): Promise<string> {
    return this.seal(userId, await this.passwords.hash(password));
  }

  /** Whether the password matches. Takes equally long if there is no hash. Hashes of the first release are not sealed. */
  async passwordMatches(password: string, kept: string | null): Promise<boolean> {
    const hash = kept !== null && isSealed(kept) ? await this.vault.open(kept) : kept;
    return this.passwords.matches(password, hash);
  }

  /** The texts of a profile, sealed. Throws the refusal `user_erased`. */
  async sealProfile(userId: string, profile: Partial<Profile>): Promise<Partial<Profile>> {
    return Object.fromEntries(
      await Promise.all(textsIn(profile).map(async ([field, text]) => [field, text === null ? null : await this.seal(userId, text)])),
    ) as Partial<Profile>;
  }

  /** Throws the refusal `user_erased`, because nothing new is stored about an erased user. */
  async seal(userId: string, text: string): Promise<Sealed> {
    try {
      return await this.vault.seal(userSubject(userId), text);
    } catch (error) {
      if (error instanceof Shredded) throw refuse('conflict', 'user_erased', 'This user was erased.');
      throw error;
    }
  }

  async isRegistered(userId: string): Promise<boolean> {
    return (await this.statusOf(userId)) === 'registered';
  }

  async isErased(userId: string): Promise<boolean> {
    return (await this.statusOf(userId)) === 'erased';
  }

  private async statusOf(userId: string) {
    return (await this.streams.load(user, userStream(userId))).status;
  }
}
