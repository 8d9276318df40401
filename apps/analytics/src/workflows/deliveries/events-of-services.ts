import { Injectable } from '@nestjs/common';
import { type SentEvent, Timers } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { SessionEnded, UserDisabled, UserErased, UserLeftGroup } from '@parlance/contracts';
import { Instant, Refusal } from '@parlance/decider';
import { payloadOf } from '../../adapters/webhooks/event-payload.ts';
import { idOfPositions, isAfter, type LogPosition, type LogPositions, positionsOfId } from '../../domain/log-positions.ts';
import { EventFeed, type FeedPage, SOURCES } from './event-feed.ts';

/** How often a reader at the ends of the logs checks for new events. */
const LOOK_MILLIS = 500;

export interface Reader {
  readonly userId: string;
  readonly sessionId: string | null;
  /** The group that allows the stream. */
  readonly group: string;
}

export interface Subscription {
  readonly reader: Reader;
  /** Types of events; empty for all. */
  readonly types: ReadonlySet<string>;
  readonly from: LogPositions;
  /** When the stream ends. The reader resumes with a new token. */
  readonly until: Instant;
  readonly now: () => Instant;
}

/** Public events of all services for one reader. Events are read at the reader's pace, so a slow reader costs no memory. */
@Injectable()
export class EventsOfServices {
  constructor(
    private readonly feed: EventFeed,
    private readonly timers: Timers,
  ) {}

  /** The positions after an event of a stream. Null for an ID of another form. */
  positionsOf(eventId: string): LogPositions | null {
    return positionsOfId(SOURCES, eventId);
  }

  /** The positions of the events from an instant on. */
  positionsAt(at: Instant): Promise<LogPositions> {
    return this.feed.positionsAt(at);
  }

  /** Ends when the reader's session ends, or the reader loses the group. Events of one stream arrive in their order. */
  async *events({ reader, types, from, until, now }: Subscription, gone: AbortSignal): AsyncGenerator<SentEvent> {
    const places: Record<string, LogPosition> = { ...from };
    // A reader may resume before an event of an earlier membership in the group.
    const { identity: begun = '0' } = await this.feed.positionsAt(now());
    const ends = (event: CloudEvent) => endsSession(event, reader) || (isAfter(event.sequence, begun) && endsAccess(event, reader));
    const rights = new RightsOfReader(this.feed, begun, ends);
    while (!gone.aborted && now() < until) {
      let isAtEnd = true;
      for (const source of SOURCES) {
        const page = await this.pageAfter(source, places[source] ?? '0');
        // Without identity's log it is unknown whether the reader has lost the rights.
        if (!page && source === 'identity') break;
        if (!page) continue;
        for (const event of page.events) {
          if (gone.aborted || now() >= until || (source === 'identity' && ends(event)) || (await rights.areLost())) return;
          places[source] = event.sequence;
          if (types.size > 0 && !types.has(event.type)) continue;
          yield { id: idOfPositions(SOURCES, places), event: event.type, data: payloadOf(event) };
        }
        places[source] = page.place;
        isAtEnd &&= page.isLast;
      }
      if (isAtEnd) await this.timers.pause(LOOK_MILLIS, gone);
    }
  }

  /** The next page; null while the service is unavailable. Then the next check asks again, and the stream continues. */
  private async pageAfter(source: string, place: LogPosition): Promise<FeedPage | null> {
    try {
      return await this.feed.after(source, place);
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unavailable') return null;
      throw error;
    }
  }
}

/** Reads the end of identity's log to detect the end of a reader's rights, because a slow reader's stream may be far behind. */
class RightsOfReader {
  private lookedAt = performance.now();

  constructor(
    private readonly feed: EventFeed,
    private place: LogPosition,
    private readonly ends: (event: CloudEvent) => boolean,
  ) {}

  async areLost(): Promise<boolean> {
    if (performance.now() - this.lookedAt < LOOK_MILLIS) return false;
    for (let isLast = false; !isLast;) {
      const page = await this.feed.after('identity', this.place);
      if (page.events.some(this.ends)) return true;
      ({ place: this.place, isLast } = page);
    }
    this.lookedAt = performance.now();
    return false;
  }
}

function endsSession({ type, data }: CloudEvent, { sessionId }: Reader): boolean {
  return type === SessionEnded.type && sessionId !== null && (data as SessionEnded).session_id === sessionId;
}

function endsAccess({ type, data }: CloudEvent, { userId, group }: Reader): boolean {
  if (type === UserLeftGroup.type) return (data as UserLeftGroup).user_id === userId && (data as UserLeftGroup).group === group;
  return (type === UserDisabled.type || type === UserErased.type) && (data as { user_id: string }).user_id === userId;
}
