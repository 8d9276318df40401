import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { nextTurn } from '@parlance/event-loop';
import { Timers } from '@parlance/foundation';
import { NewestNotifications } from '../../projections/notifications/notifications.ts';

/** The rows that are read at once. They have about 100 bytes each. */
const AT_ONCE = 500;

/** One stream of notifications. */
interface Reader {
  readonly audiences: readonly string[];
  /** The newest notifications that it was woken for; null before the first look. */
  newest: string | null;
  /** Whether there may be new notifications since it last read. */
  isDue: boolean;
  wake: () => void;
}

export interface Watching {
  /** Resolves when there may be new notifications, when the reader leaves, and after a while in any case. */
  changed(gone: AbortSignal): Promise<void>;
  leave(): void;
}

/** An event may arrive later than newer ones. Then it does not change the newest notification, and readers find it after this time. */
const LONGEST_WAIT_MILLIS = 60_000;

/** Looks for new notifications for all streams of this process at once, so that a stream costs little while there are none. */
@Injectable()
export class NotificationWatch {
  private readonly readers = new Set<Reader>();

  constructor(
    private readonly queries: QueryBus,
    private readonly timers: Timers,
  ) {}

  get isIdle(): boolean {
    return this.readers.size === 0;
  }

  join(audiences: readonly string[]): Watching {
    const reader: Reader = { audiences, newest: null, isDue: false, wake: () => undefined };
    this.readers.add(reader);
    return {
      changed: async (gone) => {
        const woken = new AbortController();
        reader.wake = () => woken.abort();
        if (!reader.isDue) await this.timers.pause(LONGEST_WAIT_MILLIS, AbortSignal.any([gone, woken.signal]));
        reader.isDue = false;
      },
      leave: () => void this.readers.delete(reader),
    };
  }

  /** Wakes the readers that may have new notifications. */
  async look(): Promise<void> {
    const audiences = [...new Set([...this.readers].flatMap((reader) => reader.audiences))];
    const newest = new Map<string, string>();
    for (let from = 0; from < audiences.length; from += AT_ONCE) {
      for (const [audience, id] of await this.queries.execute(new NewestNotifications(audiences.slice(from, from + AT_ONCE))))
        newest.set(audience, id);
      await nextTurn();
    }
    for (const reader of this.readers) {
      const found = reader.audiences.map((audience) => newest.get(audience) ?? '').join(' ');
      if (found === reader.newest) continue;
      reader.newest = found;
      reader.isDue = true;
      reader.wake();
    }
  }
}
