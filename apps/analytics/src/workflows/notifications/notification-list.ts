import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { isAfter, type LogPositions } from '../../domain/log-positions.ts';
import { ExistingBudgets } from '../../projections/budgets.ts';
import { ReadUpTo } from '../../projections/notifications/notification-reads.ts';
import {
  ADMIN_GROUP,
  groupAudience,
  KEPT_MILLIS,
  MOST_NOTIFICATIONS,
  NotificationsOf,
  type StoredNotification,
  userAudience,
} from '../../projections/notifications/notifications.ts';
import { NotificationNames, type SeenTitles } from './notification-names.ts';

/**
 * How long a stream waits for something that its reader cannot see. The service that published the event may not have written its own rows yet.
 */
const HELD_BACK_MILLIS = 15_000;
/** The most groups of a user whose notifications are read. A row of a group has about 30 KB. */
const MOST_GROUPS = 50;

export interface NotifiedUser {
  readonly userId: string;
  /** From the access token. */
  readonly groups: readonly string[];
  /** The personal access token of the request. */
  readonly tokenId?: string;
}

export interface NamedNotification extends StoredNotification {
  readonly isUnread: boolean;
  /** The title of a bot, a prompt, a project or a conversation, or what a budget limits. */
  readonly name: string | null;
}

export interface NotificationList {
  /** Newest first. */
  readonly all: readonly NamedNotification[];
  /** The positions of the newest ones, also of those that the user may not see. */
  readonly positions: LogPositions;
}

/** A personal access token does not show what only administrators see, because it may lack the scope for that. */
export function audiencesOf({ userId, groups, tokenId }: NotifiedUser): readonly string[] {
  const others = groups.filter((group) => group !== ADMIN_GROUP);
  // First, because no other group replaces it when a user has too many.
  const shown = tokenId === undefined && groups.includes(ADMIN_GROUP) ? [ADMIN_GROUP, ...others] : others;
  return [userAudience(userId), ...shown.slice(0, MOST_GROUPS).map(groupAudience)];
}

/** The notifications of a user, with the names that the user may see now. */
@Injectable()
export class NotificationLists {
  constructor(
    private readonly queries: QueryBus,
    private readonly names: NotificationNames,
    private readonly clock: Clock,
  ) {}

  /** The positions after all notifications that there are now, whether or not the user may see them. */
  async newestPositions(user: NotifiedUser): Promise<LogPositions> {
    return positionsAfter(await this.queries.execute(new NotificationsOf(audiencesOf(user))), {});
  }

  /** The highest positions of existing notifications that are not above these. */
  async positionsUpTo(user: NotifiedUser, limits: LogPositions): Promise<LogPositions> {
    const found = await this.queries.execute(new NotificationsOf(audiencesOf(user)));
    return positionsAfter(
      found.filter(({ source, sequence }) => !isAfter(sequence, limits[source] ?? '0')),
      {},
    );
  }

  /** All of them. The user must be the caller of the request. */
  async of(user: NotifiedUser): Promise<NotificationList> {
    return this.found(user, {}, () => []);
  }

  /** Those after positions in the logs, in each log up to the first one that the user may only see soon. */
  async after(user: NotifiedUser, after: LogPositions): Promise<NotificationList> {
    const since = this.clock.now() - HELD_BACK_MILLIS;
    return this.found(user, after, (hidden) => hidden.filter(({ at }) => Instant.parse(at) > since));
  }

  /** `heldBack` returns the hidden ones that end the list of their log. */
  private async found(
    user: NotifiedUser,
    after: LogPositions,
    heldBack: (hidden: readonly StoredNotification[]) => readonly StoredNotification[],
  ): Promise<NotificationList> {
    const now = this.clock.now();
    const found = await this.queries.execute(new NotificationsOf(audiencesOf(user), user.userId));
    const fresh = found
      .filter((each) => isAfter(each.sequence, after[each.source] ?? '0'))
      .filter((each) => isCurrent(each, now))
      .slice(0, MOST_NOTIFICATIONS);
    if (fresh.length === 0) return { all: [], positions: after };
    const budgetIds = fresh.flatMap(({ budget, subjectId }) => (budget ? [subjectId] : []));
    const [upTo, existing, titles, budgets] = await Promise.all([
      this.queries.execute(new ReadUpTo(user.userId)),
      this.queries.execute(new ExistingBudgets(budgetIds)),
      this.names.seenTitles(fresh),
      this.names.ofBudgets(fresh, user.userId),
    ]);
    // Without titles, it is unknown what the user may see: the notifications of that service stay unread, and appear later. All of them, because a
    // position is for a whole log.
    const known = fresh.filter(({ source }) => !titles.missing.has(source));
    const isHidden = (each: StoredNotification) =>
      titleOf(each, titles) === undefined || (each.budget !== undefined && !existing.has(each.subjectId));
    const held = heldBack(known.filter(isHidden));
    const taken = known.filter((each) => !held.some(({ source, sequence }) => source === each.source && !isAfter(sequence, each.sequence)));
    const all = taken
      .filter((each) => !isHidden(each))
      .map((each): NamedNotification => {
        const isUnread = isAfter(each.sequence, upTo[each.source] ?? '0');
        return { ...each, isUnread, name: titleOf(each, titles) ?? budgets.get(each.id) ?? null };
      });
    return { all, positions: positionsAfter(taken, after) };
  }
}

/** Null for kinds without a title; undefined if the user may not see it, it is deleted, or the reply no longer waits. */
function titleOf({ kind, subjectId }: StoredNotification, titles: SeenTitles): string | null | undefined {
  if (kind === 'bot_shared') return titles.bots[subjectId];
  if (kind === 'approval_wanted') return titles.awaiting[subjectId];
  if (kind === 'project_shared') return titles.projects[subjectId];
  return kind === 'prompt_shared' ? titles.prompts[subjectId] : null;
}

function isCurrent({ at, expiresAt }: StoredNotification, now: Instant): boolean {
  return Instant.parse(at) > now - KEPT_MILLIS && (expiresAt === undefined || Instant.parse(expiresAt) > now);
}

/** The positions after these notifications. */
export function positionsAfter(all: readonly StoredNotification[], from: LogPositions): LogPositions {
  const positions: Record<string, string> = { ...from };
  for (const { source, sequence } of all) if (isAfter(sequence, positions[source] ?? '0')) positions[source] = sequence;
  return positions;
}
