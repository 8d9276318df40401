import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { PublishedEventsOfServices } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { EventFeed } from './event-feed.ts';
import { EventsOfServices } from './events-of-services.ts';

const reader = { userId: 'root', sessionId: 'session', group: 'Admin' };

/** A log of identity of which each page has one event. The logs of the others are empty. */
class LongLog {
  readonly events: CloudEvent[] = [];

  says(type: string, data: object): void {
    const sequence = `${this.events.length + 1}.0`;
    this.events.push({ id: sequence, source: '/identity', type, subject: 's', sequence, data } as unknown as CloudEvent);
  }

  streams(): EventsOfServices {
    const after = async (source: string, position: number) =>
      source === 'identity'
        ? { events: this.events.slice(position, position + 1), position: position + 1, head: this.events.length }
        : { events: [], position: 0, head: 0 };
    const logs = { after, positionAt: async (source: string) => (source === 'identity' ? this.events.length + 1 : 1) };
    return new EventsOfServices(new EventFeed(logs as unknown as PublishedEventsOfServices));
  }
}

describe('a stream whose reader is slow', () => {
  const follow = (log: LongLog, now: () => Instant) =>
    log.streams().events({ reader, types: new Set(), from: {}, until: Instant.ofMillis(1_000), now }, new AbortController().signal);

  it.each([
    ['the session ends', 'parlance.identity.session-ended.v1', { user_id: 'root', session_id: 'session' }],
    ['its reader leaves the group', 'parlance.identity.user-left-group.v1', { user_id: 'root', group: 'Admin' }],
  ])('ends soon after %s, however far it is behind', async (_, type, data) => {
    const log = new LongLog();
    for (let n = 0; n < 10; n++) log.says('parlance.identity.user-registered.v1', { user_id: `user-${n}` });
    const stream = follow(log, () => Instant.ofMillis(0));
    expect((await stream.next()).done).toBe(false);
    log.says(type, data);
    await delay(600);
    expect((await stream.next()).done).toBe(true);
  });

  it('ends with its token in the middle of a page', async () => {
    const log = new LongLog();
    let now = 0;
    for (let n = 0; n < 3; n++) log.says('parlance.identity.user-registered.v1', { user_id: `user-${n}` });
    const stream = follow(log, () => Instant.ofMillis(now));
    expect((await stream.next()).done).toBe(false);
    now = 1_000;
    expect((await stream.next()).done).toBe(true);
  });
});
