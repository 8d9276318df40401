import { describe, expect, it } from '@jest/globals';
import { Instant, refuse } from '@parlance/decider';
import { Timers } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import type { Logger } from 'pino';
import type { LogPosition } from '../../domain/log-positions.ts';
import type { EventFeed, FeedPage } from './event-feed.ts';
import { EventsOfServices } from './events-of-services.ts';

const timers = new Timers({} as Logger, () => 1);
const noon = Instant.ofSeconds(1_800_000_000);
const LEFT = 'parlance.identity.user-left-group.v1';
const BOT = 'parlance.bots.bot-created.v1';

const event = (service: string, sequence: string, type: string, data: object = {}) =>
  ({ id: `${service}-${sequence}`, source: `/${service}`, subject: 's', sequence, type, data }) as unknown as CloudEvent;

/** The logs contain these events. `away`: the services that do not answer the next request. */
function following(logs: Readonly<Record<string, readonly CloudEvent[]>>, away: string[] = []) {
  const feed = {
    positionsAt: async () => ({ identity: '5' }),
    after: async (source: string, place: LogPosition): Promise<FeedPage> => {
      const index = away.indexOf(source);
      if (index >= 0) {
        away.splice(index, 1);
        throw refuse('unavailable', 'service_unavailable', 'The service does not answer. Try again.');
      }
      const events = (logs[source] ?? []).filter(({ sequence }) => Number(sequence) > Number(place));
      return { events, place: events.at(-1)?.sequence ?? place, isLast: true };
    },
  };
  const reader = { userId: 'root', sessionId: 's', group: 'Admin' };
  const subscription = { reader, types: new Set<string>(), from: {}, until: Instant.plus(noon, 1_000), now: () => noon };
  return { subscription, events: new EventsOfServices(feed as unknown as EventFeed, timers) };
}

/** The IDs of the first events; fewer if the stream ends earlier. */
async function first(count: number, { events, subscription }: ReturnType<typeof following>): Promise<readonly unknown[]> {
  const gone = new AbortController();
  const all: unknown[] = [];
  for await (const { data } of events.events(subscription, gone.signal)) {
    all.push((data as CloudEvent).id);
    if (all.length === count) gone.abort();
  }
  return all;
}

describe('a stream of the events of all services', () => {
  it('continues after a service was unavailable', async () => {
    expect(await first(1, following({ bots: [event('bots', '1', BOT)] }, ['bots']))).toEqual(['bots-1']);
  });
  it("sends no events of other services while it cannot read identity's log, which shows who has lost rights", async () => {
    const logs = { identity: [event('identity', '6', LEFT, { user_id: 'root', group: 'Admin' })], bots: [event('bots', '1', BOT)] };
    expect(await first(1, following(logs, ['identity']))).toEqual([]);
  });
  it('continues when its reader leaves another group', async () => {
    const logs = { identity: [event('identity', '6', LEFT, { user_id: 'root', group: 'Marketing' })] };
    expect(await first(1, following(logs))).toEqual(['identity-6']);
  });
  it('continues after an earlier membership in the group', async () => {
    const logs = { identity: [event('identity', '4', LEFT, { user_id: 'root', group: 'Admin' })] };
    expect(await first(1, following(logs))).toEqual(['identity-4']);
  });
});
