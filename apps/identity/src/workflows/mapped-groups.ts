import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import type { Logger } from '@parlance/observability';
import { LOGGER, Streams } from '@parlance/foundation';
import { groups as groupsDecider, groupsStream, isGroup } from '../domain/groups.ts';
import { user, userStream } from '../domain/user.ts';
import { AdminSeats } from './admin-seats.ts';

/** Membership that a provider decides: in the groups that its mapping names, and in no others. */
@Injectable()
export class MappedGroups {
  constructor(
    private readonly streams: Streams,
    private readonly adminSeats: AdminSeats,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** `mapping`: from a group of the provider to one of ours; `stated`: what the provider says this user is in. */
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

  /** What can't be followed (the last Admin, a group that is gone, too many) does not stop the sign-in. */
  private async changeMembership(userId: string, group: string, isToBe: boolean): Promise<void> {
    try {
      if (!isToBe) await this.adminSeats.leaveGroup(userId, group);
      else if (isGroup(await this.streams.load(groupsDecider, groupsStream), group))
        await this.adminSeats.changeThenTakeSeat(userId, { type: 'JoinGroup', group });
      else this.log.warn({ group }, 'a provider maps to a group that is not there');
    } catch (error) {
      if (!(error instanceof Refusal && error.kind === 'conflict')) throw error;
      this.log.warn({ group, user_id: userId, code: error.code }, 'a membership could not follow the provider');
    }
  }
}
