import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { type Broker, DEAD_LETTER_BYTES, type Delivery, NotNow } from '../../src/broker.ts';
import { idsOf, rounds } from './delivery-cases.ts';
import { type BrokerHarness, type Case, contractRetry, eventually, fresh, outgoing, publish, Recorder, roundTrip } from './harness.ts';

const refuse = (id: string) => (delivery: Delivery) => {
  if (delivery.event.id === id) throw new Error(`can't stomach ${id}`);
};

/** Makes a group set one event aside, and returns the parts for the next steps. */
async function withDeadLetter(broker: Broker, patienceMs: number) {
  const topic = fresh('topic');
  const group = fresh('group');
  let healed = false;
  const recorder = new Recorder(patienceMs, (delivery) => (healed ? undefined : refuse('k-1')(delivery)));
  const subscription = await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
  const bystander = new Recorder(patienceMs);
  const other = await broker.subscribe({ group: fresh('bystander'), topics: [topic], handle: bystander.handle });
  await publish(
    broker,
    [0, 1, 2].map((n) => outgoing(topic, 'k', n)),
  );
  await Promise.all([recorder.got(['k-2']), bystander.got(['k-2'])]);
  await eventually(patienceMs, async () => equal((await broker.deadLetters(group, 10)).length, 1));
  return {
    topic,
    group,
    recorder,
    bystander,
    heal: () => (healed = true),
    stop: () => Promise.all([subscription.stop(), other.stop()]),
  };
}

export const failureCases: readonly Case<BrokerHarness>[] = [
  {
    name: 'retries what a handler refuses, in order, and counts the attempts',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const recorder = new Recorder(patienceMs, ({ event, attempt }) => {
        if (event.id === 'k-1' && attempt < contractRetry.attempts) throw new Error('not yet');
      });
      const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], handle: recorder.handle });
      await publish(
        broker,
        [0, 1, 2].map((n) => outgoing(topic, 'k', n)),
      );
      await recorder.got(['k-2']);
      await subscription.stop();
      deepStrictEqual(
        recorder.deliveries.map(({ event, attempt }) => `${event.id} ${attempt}`),
        ['k-0 1', 'k-1 1', 'k-1 2', 'k-1 3', 'k-2 1'],
      );
      equal(new Set(recorder.deliveries.filter(({ event }) => event.id === 'k-1').map(({ offset }) => offset)).size, 1);
    },
  },
  {
    name: 'retries for as long as necessary when the event is not at fault',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const group = fresh('group');
      const downFor = 3 * contractRetry.attempts;
      const recorder = new Recorder(patienceMs, ({ event, attempt }) => {
        if (event.id === 'k-1' && attempt <= downFor) throw new NotNow(new Error('the database is down'));
        if (event.id === 'k-1' && attempt === downFor + 1) throw new Error('a fault of its own, but only one');
      });
      const subscription = await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
      await publish(
        broker,
        [0, 1, 2].map((n) => outgoing(topic, 'k', n)),
      );
      await recorder.got(['k-2']);
      await subscription.stop();
      deepStrictEqual(
        recorder.deliveries.map(({ event }) => event.id),
        ['k-0', ...Array.from({ length: downFor + 2 }, () => 'k-1'), 'k-2'],
      );
      equal((await broker.deadLetters(group, 10)).length, 0);
    },
  },
  {
    name: 'sets a poison event aside after a bounded number of attempts, and continues',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const group = fresh('group');
      const messages = rounds(topic, 3);
      const recorder = new Recorder(patienceMs, refuse('key3-1'));
      const subscription = await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
      await publish(broker, messages);
      await recorder.got(idsOf(messages));
      const poison = recorder.deliveries.filter(({ event }) => event.id === 'key3-1');
      equal(poison.length, contractRetry.attempts);
      await eventually(patienceMs, async () => equal((await broker.deadLetters(group, 10)).length, 1));
      await subscription.stop();
      const [letter] = await broker.deadLetters(group, 10);
      const { topic: from, partition, offset, key, event } = poison[0] as Delivery;
      const { id, place, reason, failedAt, ...rest } = letter ?? { id: '', place: '', reason: '', failedAt: '' };
      deepStrictEqual(rest, { topic: from, partition, offset, key, event, group });
      ok(id.length > 0 && place.length > 0);
      match(reason, /can't stomach key3-1/);
      ok(Math.abs(Date.now() - Date.parse(failedAt)) < 60_000);
    },
  },
  {
    name: 'never delivers a dead letter again by itself, not even to a group that returns',
    async run({ broker, patienceMs }) {
      const { topic, group, stop } = await withDeadLetter(broker, patienceMs);
      await stop();
      const later = new Recorder(patienceMs);
      const subscription = await broker.subscribe({ group, topics: [topic], handle: later.handle });
      await publish(broker, [outgoing(topic, 'k', 3)]);
      await later.got(['k-3']);
      await subscription.stop();
      deepStrictEqual(later.ids, ['k-3']);
    },
  },
  {
    name: 'redrives a dead letter only to its own group, once',
    async run({ broker, patienceMs }) {
      const { topic, group, recorder, bystander, heal, stop } = await withDeadLetter(broker, patienceMs);
      heal();
      const before = recorder.deliveries.length;
      equal(await broker.redrive(group), 1);
      await recorder.until(
        () => recorder.deliveries.length > before,
        () => 'the redriven letter never came',
      );
      await publish(broker, [outgoing(topic, 'k', 3)]);
      await Promise.all([recorder.got(['k-3']), bystander.got(['k-3'])]);
      const [first] = recorder.deliveries.filter(({ event }) => event.id === 'k-1');
      const [again] = recorder.deliveries.slice(before);
      deepStrictEqual(again, { ...first, attempt: 1 });
      equal((await broker.deadLetters(group, 10)).length, 0);
      equal(await broker.redrive(group), 0);
      await stop();
      deepStrictEqual(recorder.ids.slice(before).toSorted(), ['k-1', 'k-3']);
      deepStrictEqual(bystander.ids, ['k-0', 'k-1', 'k-2', 'k-3']);
    },
  },
  {
    name: 'returns dead letters up to a number of bytes, the oldest first, and the others after the position of the last one',
    async run({ broker, patienceMs }) {
      const [topic, group] = [fresh('topic'), fresh('group')];
      const padding = 'x'.repeat(700 * 1024);
      const enough = Math.ceil(DEAD_LETTER_BYTES / padding.length);
      const messages = Array.from({ length: enough + 2 }, (_, n) => {
        const { event, ...sent } = outgoing(topic, 'k', n);
        return { ...sent, event: { ...event, data: { n, padding } } };
      });
      const handle = async () => {
        throw new Error('too large for us');
      };
      const subscription = await broker.subscribe({ group, topics: [topic], handle });
      for (const message of messages) await publish(broker, [message]);
      await eventually(patienceMs, async () => equal(await broker.countDeadLetters(group), messages.length));
      await subscription.stop();
      const letters = await broker.deadLetters(group, 100);
      deepStrictEqual(
        letters.map(({ event }) => event.id),
        idsOf(messages).slice(0, enough),
      );
      const last = letters.at(-1);
      equal(await broker.redrive(group, [last?.id ?? '']), 1);
      const others = await broker.deadLetters(group, 100, last?.place);
      deepStrictEqual(
        others.map(({ event }) => event.id),
        idsOf(messages).slice(enough),
      );
      deepStrictEqual(await broker.deadLetters(group, 100, others.at(-1)?.place), []);
    },
  },
  {
    name: 'sets redriven letters aside again if they still fail, and redrives only the named ones',
    async run({ broker, patienceMs }) {
      const { group, recorder, stop } = await withDeadLetter(broker, patienceMs);
      equal(await broker.redrive(group, ['0']), 0);
      const [letter] = await broker.deadLetters(group, 10);
      const before = recorder.deliveries.length;
      equal(await broker.redrive(group, [letter?.id ?? '']), 1);
      await recorder.until(
        () => recorder.deliveries.length >= before + contractRetry.attempts,
        () => 'it was not tried as often as before',
      );
      await eventually(patienceMs, async () => equal((await broker.deadLetters(group, 10)).length, 1));
      await stop();
      deepStrictEqual(
        recorder.deliveries.slice(before).map(({ attempt }) => attempt),
        [1, 2, 3],
      );
    },
  },
  {
    name: 'redelivers after a crash whatever was not handled, with the same ids',
    async run({ broker, crash, patienceMs }) {
      const topic = fresh('topic');
      const group = fresh('group');
      const messages = rounds(topic, 4);
      await publish(broker, messages);
      const handled = new Set<string>();
      const hang = Promise.withResolvers<void>();
      const stuck = new Recorder(patienceMs, async ({ event }) => {
        if (handled.size >= 10) await hang.promise;
        handled.add(event.id);
      });
      await broker.subscribe({ group, topics: [topic], handle: stuck.handle });
      await stuck.until(
        () => stuck.deliveries.length > 10,
        () => 'the first handler never got so far',
      );
      await roundTrip(broker, patienceMs);
      const left = idsOf(messages).filter((id) => !handled.has(id));
      const after = await crash();
      const rest = new Recorder(patienceMs);
      const subscription = await after.subscribe({ group, topics: [topic], handle: rest.handle });
      await rest.got(left);
      await subscription.stop();
      // Lets the process end. The lost events stay lost.
      hang.resolve();
      for (const { event } of rest.deliveries) ok(idsOf(messages).includes(event.id));
    },
  },
  {
    name: 'finishes current deliveries when it stops, and loses nothing',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const group = fresh('group');
      const messages = [0, 1, 2, 3].map((n) => outgoing(topic, 'k', n));
      const gate = Promise.withResolvers<void>();
      const first = new Recorder(patienceMs, ({ event }) => (event.id === 'k-1' ? gate.promise : undefined));
      const subscription = await broker.subscribe({ group, topics: [topic], handle: first.handle });
      await publish(broker, messages);
      await first.got(['k-1']);
      let stopped = false;
      const stopping = subscription.stop().then(() => (stopped = true));
      await publish(broker, [outgoing(topic, 'k', 4)]);
      equal(stopped, false, 'it stopped without waiting for the current delivery');
      gate.resolve();
      await stopping;
      deepStrictEqual(first.ids, ['k-0', 'k-1'], 'nothing new after stop');
      const second = new Recorder(patienceMs);
      const next = await broker.subscribe({ group, topics: [topic], handle: second.handle });
      await second.got(['k-4']);
      await next.stop();
      deepStrictEqual(second.ids, ['k-2', 'k-3', 'k-4'], 'what was finished is committed, and the rest is there');
    },
  },
  {
    name: 'stops at once between two tries, and keeps the delivery for the next subscription',
    async run({ broker, patienceMs }) {
      const topic = fresh('topic');
      const group = fresh('group');
      const first = new Recorder(patienceMs, refuse('k-0'));
      const subscription = await broker.subscribe({ group, topics: [topic], handle: first.handle });
      await publish(broker, [outgoing(topic, 'k', 0)]);
      await first.got(['k-0']);
      await subscription.stop();
      // Unless the tries had already run out, the next broker handles it.
      if ((await broker.deadLetters(group, 1)).length > 0) return;
      const second = new Recorder(patienceMs);
      const next = await broker.subscribe({ group, topics: [topic], handle: second.handle });
      await second.got(['k-0']);
      await next.stop();
    },
  },
];
