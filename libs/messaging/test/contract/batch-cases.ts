import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { type Broker, type Delivery, NotNow, type Outgoing, type Trimmed } from '../../src/broker.ts';
import { idsOf, rounds } from './delivery-cases.ts';
import { type BrokerHarness, type Case, contractRetry, eventually, fresh, outgoing, publish, Recorder, roundTrip } from './harness.ts';

const many = { events: 50, bytes: 1024 * 1024 };

/** An event that takes some `bytes`. */
function large(topic: string, n: number, bytes: number): Outgoing {
  const message = outgoing(topic, 'k', n);
  return { ...message, event: { ...message.event, data: { n, text: 'x'.repeat(bytes) } } };
}

const textOf = ({ event }: Delivery) => (event.data as { text: string }).text.length;

/** Once another group has read these events, they are before the end of the topic up to which `trim` drops events. */
async function readByAnotherGroup(broker: Broker, topic: string, ids: readonly string[], patienceMs: number): Promise<void> {
  const witness = new Recorder(patienceMs);
  const watching = await broker.subscribe({ group: fresh('group'), topics: [topic], handle: witness.handle });
  await witness.got(ids);
  await watching.stop();
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

export const batchCases: readonly Case<BrokerHarness>[] = [
  {
    name: 'delivers batches in order, each from one partition and within its limits',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const messages = rounds(topic, 30);
      await publish(broker, messages);
      const recorder = new Recorder(patienceMs);
      const batch = { events: 7, bytes: 1024 * 1024 };
      const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], batch, handle: recorder.handle });
      await recorder.got(idsOf(messages));
      await subscription.stop();
      equal(recorder.ids.length, messages.length, 'each event once');
      const sizes = recorder.batches.map(({ length }) => length);
      ok(Math.max(...sizes) <= 7 && Math.max(...sizes) > 1, `batches of ${sizes.join(', ')}`);
      const last = new Map<number, number>();
      for (const deliveries of recorder.batches) {
        equal(new Set(deliveries.map(({ partition }) => partition)).size, 1, 'a batch of several partitions');
        for (const { partition, offset } of deliveries) {
          ok(Number(offset) > (last.get(partition) ?? -1), 'out of order');
          last.set(partition, Number(offset));
        }
      }
      const first = recorder.deliveries.filter(({ key }) => key === 'key3').map(({ event }) => event.id);
      deepStrictEqual(first, idsOf(messages.filter(({ key }) => key === 'key3')));
    },
  },
  {
    name: 'ends a batch before the event that would exceed its bytes, and hands over a larger event alone',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const sizes = [10_000, 10_000, 10_000, 10_000, 10_000, 60_000, 10_000, 10_000, 10_000];
      const messages = sizes.map((bytes, n) => large(topic, n, bytes));
      await publish(broker, messages);
      const recorder = new Recorder(patienceMs);
      const batch = { events: 100, bytes: 35_000 };
      const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], batch, handle: recorder.handle });
      await recorder.got(idsOf(messages));
      await subscription.stop();
      deepStrictEqual(recorder.ids, idsOf(messages));
      for (const deliveries of recorder.batches) ok(deliveries.length === 1 || sum(deliveries.map(textOf)) <= batch.bytes);
      ok(recorder.batches.some(({ length }) => length === 3));
    },
  },
  {
    name: 'sets aside only the poison event of a batch, and delivers its neighbours once',
    async run({ broker, patienceMs }) {
      const [topic, group] = [fresh('topic'), fresh('group')];
      const messages = Array.from({ length: 200 }, (_, n) => outgoing(topic, 'k', n));
      await publish(broker, messages);
      const applied: string[] = [];
      const alone: string[] = [];
      let calls = 0;
      // Like a transaction: all of a batch or nothing.
      const handle = async (deliveries: readonly Delivery[]) => {
        calls++;
        if (deliveries.length === 1) alone.push(deliveries[0]!.event.id);
        if (deliveries.some(({ event }) => event.id === 'k-117')) throw new Error("can't stomach k-117");
        applied.push(...deliveries.map(({ event }) => event.id));
      };
      const subscription = await broker.subscribe({ group, topics: [topic], batch: many, handle });
      await eventually(patienceMs, () => equal(applied.at(-1), 'k-199'));
      await subscription.stop();
      deepStrictEqual(
        applied,
        idsOf(messages).filter((id) => id !== 'k-117'),
      );
      const letters = await broker.deadLetters(group, 10);
      deepStrictEqual([letters.map(({ event }) => event.id), await broker.countDeadLetters(group)], [['k-117'], 1]);
      equal(alone.filter((id) => id === 'k-117').length, contractRetry.attempts);
      ok(calls < 60, `${calls} calls`);
    },
  },
  {
    name: 'redelivers a batch after NotNow until it succeeds',
    async run({ broker, patienceMs }) {
      const [topic, group] = [fresh('topic'), fresh('group')];
      const messages = Array.from({ length: 40 }, (_, n) => outgoing(topic, 'k', n));
      await publish(broker, messages);
      const applied: string[] = [];
      const heads: string[] = [];
      const handle = async (deliveries: readonly Delivery[]) => {
        heads.push(deliveries[0]!.event.id);
        if (heads.length <= 3 * contractRetry.attempts) throw new NotNow(new Error('the database is down'));
        applied.push(...deliveries.map(({ event }) => event.id));
      };
      const subscription = await broker.subscribe({ group, topics: [topic], batch: many, handle });
      await eventually(patienceMs, () => equal(applied.at(-1), 'k-39'));
      await subscription.stop();
      deepStrictEqual(applied, idsOf(messages));
      deepStrictEqual(new Set(heads.slice(0, 3 * contractRetry.attempts)), new Set(['k-0']));
      equal(await broker.countDeadLetters(group), 0);
    },
  },
  {
    name: 'delivers a batch again after a crash',
    async run({ broker, crash, patienceMs }) {
      const [topic, group] = [fresh('topic'), fresh('group')];
      const messages = Array.from({ length: 40 }, (_, n) => outgoing(topic, 'k', n));
      await publish(broker, messages);
      const hang = Promise.withResolvers<void>();
      const stuck = new Recorder(patienceMs, ({ event }) => (event.id === 'k-20' ? hang.promise : undefined));
      await broker.subscribe({ group, topics: [topic], batch: { ...many, events: 15 }, handle: stuck.handle });
      await stuck.got(['k-20']);
      await roundTrip(broker, patienceMs);
      const after = await crash();
      const rest = new Recorder(patienceMs);
      const subscription = await after.subscribe({ group, topics: [topic], batch: many, handle: rest.handle });
      await rest.got(idsOf(messages).slice(15));
      await subscription.stop();
      // Lets the process end.
      hang.resolve();
      const first = messages.findIndex(({ event }) => event.id === rest.ids[0]);
      deepStrictEqual(rest.ids, idsOf(messages).slice(first));
    },
  },
  {
    name: 'notifies a group of trimmed events before its next delivery',
    async run({ broker, trim, patienceMs }) {
      const [topic, group] = [fresh('topic'), fresh('group')];
      const received: (Trimmed | string)[] = [];
      const subscribe = (name: string, recorder: Recorder) =>
        broker.subscribe({
          group: name,
          topics: [topic],
          handle: async (deliveries) => {
            received.push(...deliveries.map(({ event }) => event.id));
            await recorder.handle(deliveries);
          },
          onTrimmed: (trimmed) => void received.push(trimmed),
        });
      const before = new Recorder(patienceMs);
      await publish(broker, [outgoing(topic, 'k', 0)]);
      const reading = await subscribe(group, before);
      await before.got(['k-0']);
      await reading.stop();
      await publish(
        broker,
        [1, 2, 3].map((n) => outgoing(topic, 'k', n)),
      );
      await readByAnotherGroup(broker, topic, ['k-0', 'k-1', 'k-2', 'k-3'], patienceMs);
      await trim(topic);
      await publish(broker, [outgoing(topic, 'k', 4)]);
      const after = new Recorder(patienceMs);
      const again = await subscribe(group, after);
      await after.got(['k-4']);
      await again.stop();
      const [first, trimmed, ...rest] = received;
      deepStrictEqual([first, rest], ['k-0', ['k-4']]);
      const { partition, offset } = after.deliveries[0] as Delivery;
      const { from, to, ...where } = trimmed as Trimmed;
      deepStrictEqual(where, { topic, partition });
      ok(Number(from) > Number(before.deliveries[0]!.offset) && Number(to) > Number(from) + 2 && Number(to) <= Number(offset));
      const newcomer = new Recorder(patienceMs);
      const reader = await subscribe(fresh('new'), newcomer);
      await newcomer.got(['k-4']);
      await reader.stop();
      deepStrictEqual(received.slice(2), ['k-4', 'k-4'], 'a new group misses nothing');
    },
  },
  {
    name: 'delivers nothing to a group whose notification of trimmed events failed, and repeats it',
    async run({ broker, trim, patienceMs }) {
      const [topic, group] = [fresh('topic'), fresh('group')];
      await publish(broker, [outgoing(topic, 'k', 0)]);
      const before = new Recorder(patienceMs);
      const reading = await broker.subscribe({ group, topics: [topic], handle: before.handle });
      await before.got(['k-0']);
      await reading.stop();
      await publish(broker, [outgoing(topic, 'k', 1)]);
      await readByAnotherGroup(broker, topic, ['k-0', 'k-1'], patienceMs);
      await trim(topic);
      await publish(broker, [outgoing(topic, 'k', 2)]);
      const calls: unknown[] = [];
      const after = new Recorder(patienceMs, ({ event }) => void calls.push(event.id));
      const onTrimmed = async (trimmed: Trimmed) => {
        await roundTrip(broker, patienceMs);
        calls.push(trimmed);
        if (calls.length < 3) throw new Error('the database is down');
      };
      const again = await broker.subscribe({ group, topics: [topic], handle: after.handle, onTrimmed });
      await after.got(['k-2']);
      await again.stop();
      const notified = calls.slice(0, -1) as Trimmed[];
      ok(notified.length >= 3, `calls: ${JSON.stringify(calls)}`);
      // A member that joins its group again during a notification is notified again, and may have forgotten where the gap began.
      const [{ from, ...rest }] = notified as [Trimmed];
      for (const each of notified) deepStrictEqual({ ...each, from: 0 }, { ...rest, from: 0 });
      ok(notified.every((each) => Number(each.from) <= Number(from)));
      equal(calls.at(-1), 'k-2');
    },
  },
];
