import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { RevocationFeed } from '@parlance/revocation';
import type { Logger } from '@parlance/observability';
import { LOGGER, Streams } from '@parlance/foundation';
import { groups as groupsDecider, groupsStream, isGroup } from '../domain/groups.ts';
import { user, userStream } from '../domain/user.ts';
import { AdminSeats } from './admin-seats.ts';

/** Applies a provider's groups to the groups in its mapping. Other groups are not changed. */
@Injectable()
export class MappedGroups {
  constructor(
    private readonly streams: Streams,
    private readonly adminSeats: AdminSeats,
    private readonly revocations: RevocationFeed,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** `mapping`: from a group of the provider to a group of this installation. `stated`: the user's groups at the provider. */
  async applyMapping(userId: string, mapping: Readonly<Record<string, string>>, stated: readonly string[]): Promise<void> {
    const ours = new Set(Object.values(mapping));
    if (ours.size === 0) return;
    const state = await this.streams.load(user, userStream(userId));
    if (state.status !== 'registered' || !state.enabled) return;
    const wanted = new Set(stated.flatMap((group) => (Object.hasOwn(mapping, group) ? [mapping[group]] : [])));
    for (const group of ours) {
      const [isIn, isToBe] = [state.groups.includes(group), wanted.has(group)];
      if (isIn !== isToBe) await this.changeMembership(userId, group, isToBe);
    }
  }

  /** A refused change (the last Admin, a deleted group, too many groups) does not prevent the sign-in. */
  private async changeMembership(userId: string, group: string, isToBe: boolean): Promise<void> {
    try {
      if (!isToBe) await this.revocations.seenByAll((await this.adminSeats.leaveGroup(userId, group)).position);
      else if (isGroup(await this.streams.load(groupsDecider, groupsStream), group))
        await this.adminSeats.changeThenTakeSeat(userId, { type: 'JoinGroup', group });
      else this.log.warn({ group }, 'the mapping of a provider names a group that does not exist');
    } catch (error) {
      if (!(error instanceof Refusal && error.kind === 'conflict')) throw error;
      this.log.warn({ group, user_id: userId, code: error.code }, 'a group membership stated by the provider could not be applied');
    }
  }
}
