import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Commit, EventStore } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { patience } from '@parlance/testing';
import { Broker, Fenced, type Outgoing, type Publisher } from '../broker.ts';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { eventually, Recorder } from '../../test/contract/harness.ts';
import { openEmbeddedBroker } from '../embedded/embedded-broker.ts';
import { Relay, type RelayOptions, RelayStopped } from './relay.ts';
import { openSqliteRelayCheckpoints } from './sqlite-checkpoints.ts';

const harnesses = new EmbeddedHarnesses();
const relays: Relay[] = [];
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await harnesses.close();
});

const topic = 'parlance.counting';
const metadata = { at: Instant.ofMillis(0), actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'r', causationId: null };

interface Counted {
  readonly type: 'Counted' | 'Hidden';
  readonly n: number;
}

/** `Counted` is for everybody, `Hidden` stays in the service. */
function publish({ stream, position, events }: Commit): readonly Outgoing[] {
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

/** The same broker as seen by one process, whose sends can be held back as they are when it stands still. */
function seenThrough(broker: Broker, before: (messages: readonly Outgoing[]) => Promise<void>): Broker {
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

async function world() {
  const file = await harnesses.file();
  const store: EventStore = await openSqliteEventStore(await harnesses.file());
  const broker = await openEmbeddedBroker(file);
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

const counted = (n: number): Counted => ({ type: 'Counted', n });

async function manyCommits(
  commit: (stream: string, ...events: Counted[]) => Promise<string[]>,
  from: number,
  to: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = from; n < to; n++) for (const stream of ['a', 'b', 'c']) ids.push(...(await commit(stream, counted(n))));
  return ids;
}

/** What each stream said, each event counted the first time it came. */
function firstTold(recorder: Recorder): Record<string, number[]> {
  const told: Record<string, number[]> = {};
  const seen = new Set<string>();
  for (const { event, key } of recorder.deliveries) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    (told[key] ??= []).push((event.data as { n: number }).n);
  }
  return told;
}

const upTo = (end: number) => Array.from({ length: end }, (_, n) => n);

describe('a relay', () => {
  it('sends the public events of what was committed before and after it started, once, and keeps the rest back', async () => {
    const { relay, commit, listen, recorder, store } = await world();
    const ids = await commit('a', counted(0), { type: 'Hidden', n: 1 }, counted(2));
    await listen();
    const running = relay();
    running.start();
    ids.push(...(await commit('a', { type: 'Hidden', n: 3 })), ...(await commit('a', counted(4))));
    await running.reached(await store.head());
    await recorder.got(ids);
    await running.stop();
    expect(recorder.ids).toEqual(ids);
  });

  it('goes on where it stood when it is started again', async () => {
    const { relay, commit, listen, recorder, store } = await world();
    await listen();
    const first = relay();
    first.start();
    const ids = await manyCommits(commit, 0, 5);
    await first.reached(await store.head());
    await first.stop();
    const second = relay();
    second.start();
    ids.push(...(await manyCommits(commit, 5, 8)));
    await recorder.got(ids);
    expect(recorder.ids).toHaveLength(ids.length);
    expect(firstTold(recorder)).toEqual({ a: upTo(8), b: upTo(8), c: upTo(8) });
  });

  it('loses nothing and keeps each stream in order when it dies in the middle and another takes over', async () => {
    const { relay, commit, listen, recorder, broker } = await world();
    await listen();
    let sends = 0;
    const died = Promise.withResolvers<void>();
    const wake = Promise.withResolvers<void>();
    const dying = relay({
      broker: seenThrough(broker, async () => {
        if (++sends < 4) return;
        died.resolve();
        await wake.promise;
      }),
    });
    dying.start();
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(...(await manyCommits(commit, n, n + 1)));
    await died.promise;
    relay().start();
    await recorder.got(ids);
    expect(firstTold(recorder)).toEqual({ a: upTo(20), b: upTo(20), c: upTo(20) });
    wake.resolve();
  });

  it('is fenced when it wakes up after another has taken over, and sends nothing more', async () => {
    const { relay, commit, listen, recorder, broker, store } = await world();
    await listen();
    const asleep = Promise.withResolvers<void>();
    const wake = Promise.withResolvers<void>();
    const fenced = Promise.withResolvers<unknown>();
    const zombie = relay({
      broker: seenThrough(broker, async () => {
        asleep.resolve();
        await wake.promise;
      }),
      onError: fenced.resolve,
    });
    zombie.start();
    const ids = await commit('a', counted(0));
    await asleep.promise;
    const successor = relay();
    successor.start();
    await successor.reached(await store.head());
    wake.resolve();
    expect(await fenced.promise).toBeInstanceOf(Fenced);
    ids.push(...(await commit('a', counted(1))));
    await recorder.got(ids);
    await Promise.all([zombie.stop(), successor.stop()]);
    expect(recorder.ids).toEqual(ids);
  });

  it('lets one of several relays send, and another take over at once when it stops', async () => {
    const { relay, commit, listen, recorder } = await world();
    await listen();
    const [one, two] = [relay(), relay()];
    one.start();
    two.start();
    const ids = await manyCommits(commit, 0, 5);
    await recorder.got(ids);
    await one.stop();
    ids.push(...(await manyCommits(commit, 5, 7)));
    await recorder.got(ids);
    await two.stop();
    expect(recorder.ids).toHaveLength(ids.length);
  });

  it('tells of errors, and goes on when they end', async () => {
    const { relay, commit, listen, recorder, broker } = await world();
    await listen();
    const errors: unknown[] = [];
    let failing = true;
    const running = relay({
      broker: seenThrough(broker, async () => {
        if (failing) throw new Error('the broker is down');
      }),
      onError: (error) => void errors.push(error),
    });
    running.start();
    const ids = await manyCommits(commit, 0, 3);
    await eventually(patience(60_000), () => expect(errors.length).toBeGreaterThan(2));
    failing = false;
    await recorder.got(ids);
    expect(firstTold(recorder)).toEqual({ a: upTo(3), b: upTo(3), c: upTo(3) });
  });

  it('gives the lease up when it cannot send, and a healthy relay sends on', async () => {
    const { relay, commit, listen, recorder, broker, checkpoints, store } = await world();
    await listen();
    const claims: string[] = [];
    const claim = checkpoints.claim.bind(checkpoints);
    checkpoints.claim = async (...args) => {
      const lease = await claim(...args);
      if (lease) claims.push(args[1]);
      return lease;
    };
    const isFailing = Promise.withResolvers<void>();
    const failing = relay({
      broker: seenThrough(broker, async () => {
        throw new Error('no route to the broker');
      }),
      owner: 'failing',
      // Nothing but a release frees it within this test.
      leaseMs: 60 * 60_000,
      onError: () => isFailing.resolve(),
    });
    failing.start();
    const ids = await commit('a', counted(0));
    await isFailing.promise;
    const healthy = relay({ owner: 'healthy' });
    healthy.start();
    await recorder.got(ids);
    const before = claims.length;
    for (let n = 1; n <= 20; n++) {
      ids.push(...(await commit('a', counted(n))));
      await recorder.got(ids.slice(-1));
    }
    expect(claims.slice(before)).toEqual([]);
    expect(claims.at(-1)).toBe('healthy');
    await healthy.reached(await store.head());
    await healthy.stop();
    expect(await failing.position()).toBe(await store.head());
  });

  it('sends nothing when it has lost the lease while it opened its publisher', async () => {
    const { relay, commit, listen, recorder, broker, checkpoints } = await world();
    await listen();
    const sends: number[] = [];
    const claim = checkpoints.claim.bind(checkpoints);
    let claimed: Parameters<typeof claim> | undefined;
    checkpoints.claim = (...args) => claim(...(claimed = args));
    const slow: Pick<Broker, 'publisher'> = {
      async publisher(name) {
        const publisher = await broker.publisher(name);
        const at = sends.push(0) - 1;
        if (at === 0) await claim(...claimed!);
        return { close: () => publisher.close(), send: (messages) => ((sends[at]! += 1), publisher.send(messages)) };
      },
    };
    const running = relay({ broker: Object.assign(Object.create(broker) as Broker, slow) });
    const ids = await commit('a', counted(0));
    running.start();
    await recorder.got(ids);
    await running.stop();
    expect([sends[0], sends.at(-1)]).toEqual([0, 1]);
  });

  it('rejects those who wait for it when it stops before', async () => {
    const { relay } = await world();
    const running = relay();
    running.start();
    const waiting = running.reached(5).catch((error: unknown) => error);
    await running.stop();
    expect(await waiting).toBeInstanceOf(RelayStopped);
  });
});
