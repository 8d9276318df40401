import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { type Broker, Fenced, type Outgoing } from '../../src/broker.ts';
import { type BrokerHarness, type Case, eventOf, eventually, fresh, outgoing, publish, Recorder } from './harness.ts';

const keys = Array.from({ length: 12 }, (_, index) => `key${index}`);

/** Events of these keys in turn, `times` for each key. */
export function rounds(topic: string, times: number, from = 0): Outgoing[] {
  return Array.from({ length: times }, (_, round) => keys.map((key) => outgoing(topic, key, from + round))).flat();
}

export const idsOf = (messages: readonly Outgoing[]) => messages.map(({ event }) => event.id);

export const deliveryCases: readonly Case<BrokerHarness>[] = [
  {
    name: 'refuses a name that a group cannot have on every broker',
    async run({ broker }) {
      const subscribe = (group: string) => broker.subscribe({ group, topics: [fresh('topic')], handle: async () => undefined });
      for (const group of ['', 'bots.rows@2', 'with space', 'x'.repeat(201)]) await rejects(subscribe(group), RangeError);
      await (await subscribe(fresh('bots.rows.v2'))).stop();
    },
  },
  {
    name: 'delivers an event as it was sent, and in the order of its key',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const recorder = new Recorder(patienceMs);
      const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], handle: recorder.handle });
      const messages = rounds(topic, 20);
      const publisher = await broker.publisher(fresh('publisher'));
      const sends = [];
      for (let at = 0; at < messages.length; at += 37) sends.push(publisher.send(messages.slice(at, at + 37)));
      await Promise.all(sends);
      await recorder.got(idsOf(messages));
      await subscription.stop();
      await publisher.close();
      for (const key of keys) {
        const seen = recorder.deliveries.filter((each) => each.key === key);
        deepStrictEqual(
          seen.map(({ event }) => event),
          Array.from({ length: 20 }, (_, n) => eventOf(topic, key, n)),
        );
        equal(new Set(seen.map(({ partition }) => partition)).size, 1, 'a key stays in one partition');
      }
      ok(new Set(recorder.deliveries.map(({ partition }) => partition)).size > 1, 'keys spread over partitions');
      for (const { topic: from, attempt } of recorder.deliveries) deepStrictEqual([from, attempt], [topic, 1]);
    },
  },
  {
    name: 'gives each group everything, including what was sent before it joined',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      await publish(broker, rounds(topic, 2));
      const [one, two] = [new Recorder(patienceMs), new Recorder(patienceMs)];
      const subscriptions = [
        await broker.subscribe({ group: fresh('one'), topics: [topic], handle: one.handle }),
        await broker.subscribe({ group: fresh('two'), topics: [topic], handle: two.handle }),
      ];
      await publish(broker, rounds(topic, 2, 2));
      const all = idsOf(rounds(topic, 4));
      await Promise.all([one.got(all), two.got(all)]);
      await Promise.all(subscriptions.map((each) => each.stop()));
      deepStrictEqual([one.ids.length, two.ids.length], [all.length, all.length]);
    },
  },
  {
    name: 'listens to several topics, and only to those',
    async run({ broker, patienceMs }) {
      const [a, b, other] = [fresh('a'), fresh('b'), fresh('other')];
      const recorder = new Recorder(patienceMs);
      const subscription = await broker.subscribe({ group: fresh('group'), topics: [a, b], handle: recorder.handle });
      await publish(broker, [outgoing(other, 'x', 0), outgoing(a, 'a', 0), outgoing(b, 'b', 0)]);
      await recorder.got(['a-0', 'b-0']);
      await subscription.stop();
      deepStrictEqual(recorder.ids.toSorted(), ['a-0', 'b-0']);
    },
  },
  {
    name: 'handles other partitions while one is slow',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const messages = rounds(topic, 2);
      await publish(broker, messages);
      const gate = Promise.withResolvers<void>();
      let slow: number | undefined;
      const recorder = new Recorder(patienceMs, ({ partition }) => {
        slow ??= partition;
        return partition === slow ? gate.promise : undefined;
      });
      const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], handle: recorder.handle });
      await recorder.until(
        () => recorder.deliveries.filter(({ partition }) => partition !== slow).length >= keys.length,
        () => 'the slow partition held the others up',
      );
      equal(recorder.deliveries.filter(({ partition }) => partition === slow).length, 1, 'within a partition, one at a time');
      gate.resolve();
      await recorder.got(idsOf(messages));
      await subscription.stop();
    },
  },
  {
    name: 'shares the partitions among the subscriptions of a group',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const group = fresh('group');
      const both = new Recorder(patienceMs);
      const counts = [0, 0];
      const subscribe = (which: 0 | 1) =>
        broker.subscribe({
          group,
          topics: [topic],
          handle: (deliveries) => {
            counts[which] = (counts[which] ?? 0) + deliveries.length;
            return both.handle(deliveries);
          },
        });
      const first = await subscribe(0);
      const second = await subscribe(1);
      // After each member has had a delivery, the partitions are assigned.
      let sent = 0;
      await eventually(patienceMs, async () => {
        const round = rounds(topic, 1, sent++);
        await publish(broker, round);
        await both.got(idsOf(round));
        ok(
          counts.every((count) => count > 0),
          `one has had nothing: ${counts.join(' and ')}`,
        );
      });
      const before = both.ids.length;
      const steady = rounds(topic, 5, 1_000);
      await publish(broker, steady);
      await both.got(idsOf(steady));
      await first.stop();
      await second.stop();
      deepStrictEqual(both.ids.slice(before).toSorted(), idsOf(steady).toSorted(), 'each event once');
    },
  },
  {
    name: 'counts how far a group lags',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const group = fresh('group');
      const lag = async () => (await broker.lag(group)).filter((each) => each.topic === topic).reduce((sum, each) => sum + each.behind, 0);
      const before = rounds(topic, 1);
      await publish(broker, before);
      const reading = await broker.subscribe({ group, topics: [topic], handle: async () => undefined });
      await eventually(patienceMs, async () => equal(await lag(), 0));
      await reading.stop();
      await publish(broker, rounds(topic, 2, 1));
      const expected = 2 * keys.length;
      // A broker may also count its markers, so the lag may be larger than the number of events.
      await eventually(patienceMs, async () => ok((await lag()) >= expected));
      const again = await broker.subscribe({ group, topics: [topic], handle: async () => undefined });
      await eventually(patienceMs, async () => equal(await lag(), 0));
      await again.stop();
    },
  },
  {
    name: 'fences the older of two publishers with the same name, and no other',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const name = fresh('publisher');
      const other = await broker.publisher(fresh('other'));
      const older = await broker.publisher(name);
      await older.send([outgoing(topic, 'k', 0)]);
      const newer = await broker.publisher(name);
      await newer.send([outgoing(topic, 'k', 1)]);
      const refused = await older.send([outgoing(topic, 'k', 666)]).then(
        () => 'sent',
        (error: unknown) => error,
      );
      ok(refused instanceof Fenced, `the older one's send came to ${String(refused)}`);
      await newer.send([outgoing(topic, 'k', 2)]);
      await other.send([outgoing(topic, 'k', 3)]);
      deepStrictEqual(await readWhole(broker, topic, ['k-3'], patienceMs), ['k-0', 'k-1', 'k-2', 'k-3']);
      await Promise.all([older, newer, other].map((each) => each.close()));
    },
  },
];

async function readWhole(broker: Broker, topic: string, until: readonly string[], patienceMs: number): Promise<string[]> {
  const recorder = new Recorder(patienceMs);
  const subscription = await broker.subscribe({ group: fresh('reader'), topics: [topic], handle: recorder.handle });
  await recorder.got(until);
  await subscription.stop();
  return recorder.ids;
}
