import { Injectable } from '@nestjs/common';
import { RevocationFeed } from '@parlance/revocation';
import { columnOf, type Profile, textsIn } from '../domain/profile.ts';
import { People } from '../projections/people.ts';
import { AdminSeats } from './admin-seats.ts';
import { Registration } from './registration.ts';
import { Sessions } from './sessions.ts';

export interface Amendments extends Partial<Profile> {
  readonly enabled?: boolean;
}

export interface JoinOptions {
  readonly confirmed?: boolean;
  readonly ifMatch?: string | undefined;
}

/** Changes that administrators and identity providers make to a user, with their consequences. */
@Injectable()
export class UserChanges {
  constructor(
    private readonly registration: Registration,
    private readonly adminSeats: AdminSeats,
    private readonly sessions: Sessions,
    private readonly revocations: RevocationFeed,
    private readonly people: People,
  ) {}

  /**
   * A disabled user is signed out everywhere when this resolves.
   * Throws the refusals `user_not_found`, `last_admin` and `version_stale`.
   */
  async amend(userId: string, { enabled, ...profile }: Amendments, ifMatch?: string): Promise<void> {
    const before = await this.people.byId(userId);
    const changed = Object.fromEntries(textsIn(profile).filter(([field, text]) => text !== before[columnOf(field)]));
    const command = {
      type: 'Amend',
      ...(await this.registration.sealProfile(userId, changed)),
      ...(enabled !== undefined && { enabled }),
    } as const;
    if (enabled === false) {
      const { position } = await this.adminSeats.giveUpSeatThenChange(userId, command, ifMatch);
      await this.sessions.endAll(userId, 'user_disabled');
      await this.revocations.seenByAll(position);
    } else await this.adminSeats.changeThenTakeSeat(userId, command, ifMatch);
  }

  /**
   * The caller checks that the group exists. `confirmed`: an Admin has confirmed the unverified address.
   * Throws the refusals `user_not_found`, `email_unverified`, `too_many_groups` and `version_stale`.
   */
  async join(userId: string, group: string, { confirmed = false, ifMatch }: JoinOptions = {}): Promise<void> {
    await this.adminSeats.changeThenTakeSeat(userId, { type: 'JoinGroup', group, confirmed }, ifMatch);
  }

  /** No personal access token of the user has the rights of the group when this resolves. Throws the refusals `user_not_found`, `last_admin` and `version_stale`. */
  async leave(userId: string, group: string, ifMatch?: string): Promise<void> {
    const { position } = await this.adminSeats.leaveGroup(userId, group, ifMatch);
    await this.revocations.seenByAll(position);
  }
}
