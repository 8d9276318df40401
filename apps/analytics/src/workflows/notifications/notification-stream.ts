import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { idOfPositions, isAfter, type LogPositions, positionsOfId } from '../../domain/log-positions.ts';
import { SOURCES } from '../deliveries/event-feed.ts';
import { UserListing } from '../user-listing.ts';
import { audiencesOf, type NamedNotification, NotificationLists, type NotifiedUser, positionsAfter } from './notification-list.ts';
import { NotificationWatch } from './notification-watch.ts';

/** A position is the ID of an event in a stream. */
export const idOf = (positions: LogPositions): string => idOfPositions(SOURCES, positions);
/** Null for a text that is not such an ID. */
export const positionsOf = (id: string): LogPositions | null => positionsOfId(SOURCES, id);

export interface Following {
  readonly user: NotifiedUser;
  readonly from: LogPositions;
  /** When the stream ends. The reader resumes with a new token. */
  readonly until: Instant;
  readonly now: () => Instant;
}

export interface SentNotification {
  readonly id: string;
  readonly notification: NamedNotification;
}

/** New notifications of a user, as they arrive. Those of a group that the user has left are not for this reader any more. */
@Injectable()
export class NotificationStream {
  constructor(
    private readonly lists: NotificationLists,
    private readonly watch: NotificationWatch,
    private readonly users: UserListing,
  ) {}

  async *after({ user, from, until, now }: Following, gone: AbortSignal): AsyncGenerator<SentNotification> {
    const watching = this.watch.join(audiencesOf(user));
    let reader = user;
    try {
      for (let places = from; !gone.aborted && now() < until;) {
        let { all, positions } = await this.lists.after(reader, places);
        if (all.length > 0) {
          const current = await this.withCurrentGroups(reader);
          if (current !== reader) ({ all, positions } = await this.lists.after((reader = current), places));
        }
        for (const notification of all.toSorted(inOrderOfLogs)) {
          if (gone.aborted) return;
          places = positionsAfter([notification], places);
          yield { id: idOf(places), notification };
        }
        places = positions;
        await watching.changed(gone);
      }
    } finally {
      watching.leave();
    }
  }

  /** The groups of the user are those of an access token, which may be older than the stream. The same object if the user has left none. */
  private async withCurrentGroups(user: NotifiedUser): Promise<NotifiedUser> {
    const { userId, groups } = user;
    if (groups.length === 0) return user;
    const current = (await this.users.persons([userId])).get(userId)?.groups ?? [];
    const kept = groups.filter((group) => current.includes(group));
    return kept.length === groups.length ? user : { ...user, groups: kept };
  }
}

/** A reader resumes after a position in each log, so the notifications of one log are sent in its order. */
function inOrderOfLogs(one: NamedNotification, other: NamedNotification): number {
  if (one.source !== other.source) return one.source < other.source ? -1 : 1;
  return isAfter(one.sequence, other.sequence) ? 1 : -1;
}
