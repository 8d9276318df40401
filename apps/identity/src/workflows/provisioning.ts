import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { etagOf, isUlid } from '@parlance/http';
import { People } from '../projections/people.ts';
import { Addresses } from './addresses.ts';
import { isOfDomain } from './normal-address.ts';
import { Registration } from './registration.ts';
import { Sessions } from './sessions.ts';
import { SignIn } from './sign-in.ts';
import { ExecuteUser } from '../commands/aggregates.ts';
import { type Amendments, UserChanges } from './user-changes.ts';

/** Changes to a user that an identity provider requests. */
export interface UserProvisions extends Amendments {
  readonly email?: string;
  readonly password?: string;
  /** The provider's ID of the user. Null removes it. */
  readonly externalId?: string | null;
}

/** The number of users changed concurrently. Admins are changed one by one, because they share a stream. */
const BATCH_SIZE = 50;

/** Carries out the changes that an identity provider makes to its users. */
@Injectable()
export class Provisioning {
  constructor(
    private readonly commands: CommandBus,
    private readonly addresses: Addresses,
    private readonly registration: Registration,
    private readonly changes: UserChanges,
    private readonly sessions: Sessions,
    private readonly signIns: SignIn,
    private readonly people: People,
    private readonly config: Config,
  ) {}

  /**
   * The first change of an account that was created by sign-up adopts it (see `adopt`).
   * Several streams are written. A request is refused before anything has changed, unless another user takes the address at the same moment.
   * `ifMatch` is checked when the names and the state change; the other changes are made after that.
   * Throws the refusals `user_not_found`, `email_domain_not_allowed`, `email_taken`, `last_admin` and `version_stale`.
   */
  async change(userId: string, wanted: UserProvisions, ifMatch?: string): Promise<void> {
    const { email, password, externalId, ...amendments } = wanted;
    await this.requireManaged([userId]);
    if (email !== undefined) {
      this.requireOwnDomain(email);
      await this.requireFree(email, userId);
    }
    // Disabling comes first, because it may be refused for the last Admin.
    if (amendments.enabled === false) await this.changes.amend(userId, amendments, ifMatch);
    const adopted = await this.adopt(userId, amendments.enabled === false ? undefined : ifMatch);
    if (amendments.enabled !== false && Object.keys(amendments).length > 0)
      await this.changes.amend(userId, amendments, adopted ?? ifMatch);
    if (email !== undefined) await this.registration.changeEmail(userId, email);
    if (externalId !== undefined) await this.setExternalId(userId, externalId);
    if (password !== undefined) await this.setPassword(userId, password);
  }

  /**
   * Users join before others leave, so that an Admin can be replaced. An unknown user in `leaves` is ignored.
   * A user who joins is adopted first. Throws the refusals `too_many_groups` and `last_admin`, and, before anything has changed,
   * `member_unknown` and `email_domain_not_allowed`.
   */
  async changeMembers(group: string, joins: readonly string[], leaves: readonly string[]): Promise<void> {
    const sideBySide = group === 'Admin' ? 1 : BATCH_SIZE;
    await this.requireUsers(joins);
    await this.requireManaged(joins);
    await inBatches(joins, sideBySide, async (userId) => {
      await this.adopt(userId);
      await this.changes.join(userId, group);
    });
    await inBatches(leaves.filter(isUlid), sideBySide, async (userId) => {
      if (await this.registration.isRegistered(userId)) await this.changes.leave(userId, group);
    });
  }

  /** Throws the refusal `member_unknown`. */
  async requireUsers(userIds: readonly string[]): Promise<void> {
    await inBatches(userIds, BATCH_SIZE, async (userId) => {
      if (!isUlid(userId) || !(await this.registration.isRegistered(userId)))
        throw refuse('invalid', 'member_unknown', `There is no user ${userId.slice(0, 50)}.`);
    });
  }

  /** Requires an address in one of the client's domains. Throws the refusal `email_domain_not_allowed`. */
  requireOwnDomain(email: string): void {
    if (!isOfDomain(email, this.config.scimEmailDomains)) throw otherDomain();
  }

  /** Requires users whose addresses are in the client's domains. Throws the refusal `email_domain_not_allowed`. */
  async requireManaged(userIds: readonly string[]): Promise<void> {
    if (this.config.scimEmailDomains.length === 0) return;
    await inBatches(userIds, BATCH_SIZE, async (userId) => this.requireOwnDomain((await this.people.byId(userId)).email));
  }

  /**
   * Someone who merely knew the address may have created the account by sign-up. From now on it belongs to the user that the client manages:
   * when this resolves, the password is invalid and all sessions have ended. Returns the new ETag if something changed.
   */
  private async adopt(userId: string, ifMatch?: string): Promise<string | undefined> {
    const { written, state, version, position } = await this.commands.execute(new ExecuteUser(userId, { type: 'Adopt' }, { ifMatch }));
    // The sessions are ended even if the account was adopted before, because that attempt may have been interrupted.
    if (state.status === 'registered' && state.adopted) await this.sessions.endOutdated(userId, position);
    return written ? etagOf(version) : undefined;
  }

  private async requireFree(email: string, userId: string): Promise<void> {
    const holder = await this.addresses.holderOf(email);
    if (holder !== null && holder !== userId) throw refuse('conflict', 'email_taken', 'Another user has this e-mail address.');
  }

  private async setExternalId(userId: string, externalId: string | null): Promise<void> {
    const sealed = externalId === null ? null : await this.registration.seal(userId, externalId);
    await this.commands.execute(new ExecuteUser(userId, { type: 'SetExternalId', externalId: sealed }));
  }

  /** The provider knows the password, so it has to be changed at the next sign-in. All sessions end. */
  private async setPassword(userId: string, password: string): Promise<void> {
    const passwordHash = await this.registration.passwordHash(userId, password);
    await this.commands.execute(new ExecuteUser(userId, { type: 'SetPassword', passwordHash }));
    await this.sessions.endAll(userId, 'password_changed');
    await this.signIns.clearFailures((await this.people.byId(userId)).email);
  }
}

const otherDomain = () =>
  refuse('forbidden', 'email_domain_not_allowed', 'Provisioning is not allowed for this e-mail domain. See the setting scimEmailDomains.');

async function inBatches<Item>(items: readonly Item[], size: number, work: (item: Item) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += size) await Promise.all(items.slice(from, from + size).map(work));
}
