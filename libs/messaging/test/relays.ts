import { randomUUID } from 'node:crypto';
import { afterEach } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Commit, EventStore } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { patience } from '@parlance/testing';
import { Broker, type Outgoing, type Publisher } from '../src/broker.ts';
import { EmbeddedHarnesses } from './contract/embedded-harness.ts';
import { Recorder } from './contract/harness.ts';
import { openEmbeddedBroker } from '../src/embedded/embedded-broker.ts';
import { Relay, type RelayOptions } from '../src/relay/relay.ts';
import { openSqliteRelayCheckpoints } from '../src/relay/sqlite-checkpoints.ts';

const harnesses = new EmbeddedHarnesses();
export const relays: Relay[] = [];
const brokers: Broker[] = [];
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
  await harnesses.close();
});

export const topic = 'parlance.counting';
const metadata = { at: Instant.ofMillis(0), actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'r', causationId: null };

interface Counted {
  readonly type: 'Counted' | 'Hidden';
  readonly n: number;
}

/** `Counted` is public, `Hidden` stays in the service. */
export function publish({ stream, position, events }: Commit): readonly Outgoing[] {
  return (events as Commit<Counted>['events'])
    .filter(({ event }) => event.type === 'Counted')
    .map(({ id, event }) => ({
      topic,
      key: stream,
      event: {
        specversion: '1.0',
        id,
        source: '/counting',
        type: 'parlance.counting.counted.v1',
        subject: stream,
        time: new Date(0).toISOString(),
        datacontenttype: 'application/json',
        data: { n: event.n },
        sequence: String(position),
      },
    }));
}

/** The same broker as seen by one process. Its sends can be held back, as if the process had stalled. */
export function seenThrough(broker: Broker, before: (messages: readonly Outgoing[]) => Promise<void>): Broker {
  const seen: Pick<Broker, 'publisher'> = {
    async publisher(name: string): Promise<Publisher> {
      const publisher = await broker.publisher(name);
      return {
        close: () => publisher.close(),
        send: async (messages) => {
          await before(messages);
          await publisher.send(messages);
        },
      };
    },
  };
  return Object.assign(Object.create(broker) as Broker, seen);
}

export async function world() {
  const file = await harnesses.file();
  const store: EventStore = await openSqliteEventStore(await harnesses.file());
  const broker = await openEmbeddedBroker(file);
  brokers.push(broker);
  const checkpoints = await openSqliteRelayCheckpoints(file);
  const recorder = new Recorder(patience(60_000));
  const versions = new Map<string, number>();
  return {
    store,
    broker,
    checkpoints,
    recorder,
    listen: () => broker.subscribe({ group: 'group', topics: [topic], handle: recorder.handle }),
    async commit(stream: string, ...events: Counted[]) {
      const expected = versions.get(stream) ?? 0;
      versions.set(stream, expected + 1);
      const { events: recorded } = await store.append({ stream, expected, events, metadata: { ...metadata, requestId: randomUUID() } });
      return recorded.filter(({ event }) => event.type === 'Counted').map(({ id }) => id);
    },
    relay(options: Partial<RelayOptions> = {}) {
      const relay = new Relay({ name: 'relay.counting', store, broker, checkpoints, publish, leaseMs: 300, ...options });
      relays.push(relay);
      return relay;
    },
  };
}

export const counted = (n: number): Counted => ({ type: 'Counted', n });

export async function manyCommits(
  commit: (stream: string, ...events: Counted[]) => Promise<string[]>,
  from: number,
  to: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = from; n < to; n++) for (const stream of ['a', 'b', 'c']) ids.push(...(await commit(stream, counted(n))));
  return ids;
}

/** The events of each stream, in the order in which they first came. */
export function firstSeen(recorder: Recorder): Record<string, number[]> {
  const numbers: Record<string, number[]> = {};
  const seen = new Set<string>();
  for (const { event, key } of recorder.deliveries) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    (numbers[key] ??= []).push((event.data as { n: number }).n);
  }
  return numbers;
}

export const upTo = (end: number) => Array.from({ length: end }, (_, n) => n);
