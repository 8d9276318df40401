import { afterEach, describe, expect, it } from '@jest/globals';
import { patience } from '@parlance/testing';
import { Broker, type CloudEvent, type DeadLetter, type Delivery, type Lag, type Outgoing, type Publisher } from '../../src/broker.ts';
import type { SubscribeOptions, Subscription, Trimmed } from '../../src/broker.ts';
import { brokerContract } from './contract.ts';
import { EmbeddedHarnesses } from './embedded-harness.ts';
import { fresh } from './harness.ts';

/** A working broker. Each broken one differs from it in one place. */
class Honest extends Broker {
  constructor(protected readonly inner: Broker) {
    super();
  }
  ensureTopics(topics: readonly string[]): Promise<void> {
    return this.inner.ensureTopics(topics);
  }
  partitions(topic: string): Promise<number> {
    return this.inner.partitions(topic);
  }
  publisher(name: string): Promise<Publisher> {
    return this.inner.publisher(name);
  }
  subscribe(options: SubscribeOptions): Promise<Subscription> {
    return this.inner.subscribe(options);
  }
  deadLetters(group: string, limit: number, after?: string): Promise<readonly DeadLetter[]> {
    return this.inner.deadLetters(group, limit, after);
  }
  countDeadLetters(group: string): Promise<number> {
    return this.inner.countDeadLetters(group);
  }
  redrive(group: string, ids?: readonly string[]): Promise<number> {
    return this.inner.redrive(group, ids);
  }
  lag(group: string): Promise<readonly Lag[]> {
    return this.inner.lag(group);
  }
  close(): Promise<void> {
    return this.inner.close();
  }
}

/** Sends what `change` makes of it. */
abstract class ChangesWhatIsSent extends Honest {
  abstract change(messages: readonly Outgoing[]): readonly Outgoing[];
  override async publisher(name: string): Promise<Publisher> {
    const publisher = await this.inner.publisher(name);
    return { send: (messages) => publisher.send(this.change(messages)), close: () => publisher.close() };
  }
}

class TakesAnyName extends Honest {
  override subscribe(options: SubscribeOptions): Promise<Subscription> {
    return this.inner.subscribe({ ...options, group: options.group.replaceAll(/[^a-z0-9.-]/g, '').slice(0, 200) || 'nameless' });
  }
}

class Reorders extends ChangesWhatIsSent {
  change(messages: readonly Outgoing[]) {
    return messages.toReversed();
  }
}

class GivesNewIds extends ChangesWhatIsSent {
  change(messages: readonly Outgoing[]) {
    return messages.map((each) => ({ ...each, event: { ...each.event, id: fresh('id') } as CloudEvent }));
  }
}

class CommitsBeforeHandling extends Honest {
  override subscribe(options: SubscribeOptions) {
    return this.inner.subscribe({
      ...options,
      handle: async (deliveries) => void options.handle(deliveries).catch(() => undefined),
    });
  }
}

class CommitsOnACrash extends Honest {
  override subscribe(options: SubscribeOptions) {
    // A handler that hangs counts as complete after a moment, as if its session had expired unnoticed.
    const expired = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
    return this.inner.subscribe({ ...options, handle: (deliveries) => Promise.race([options.handle(deliveries), expired()]) });
  }
}

class DropsPoisonSilently extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = (deliveries: readonly Delivery[]) =>
      options.handle(deliveries).catch((error: unknown) => (deliveries[0]!.attempt < 3 ? Promise.reject(error) : undefined));
    return this.inner.subscribe({ ...options, handle });
  }
}

class TakesAnOutageForPoison extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = (deliveries: readonly Delivery[]) =>
      options.handle(deliveries).catch((error: Error) => {
        throw new Error(error.message);
      });
    return this.inner.subscribe({ ...options, handle });
  }
}

class NeverGivesUp extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = async (deliveries: readonly Delivery[]): Promise<void> => {
      for (let tries = 0; tries < 100; tries++) {
        const done = await options.handle(deliveries).then(
          () => true,
          () => new Promise<false>((resolve) => setTimeout(resolve, 5, false)),
        );
        if (done) return;
      }
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

class IgnoresFencing extends Honest {
  override publisher(name: string) {
    return this.inner.publisher(fresh(name));
  }
}

class LosesWhatIsInHandOnStop extends Honest {
  override async subscribe(options: SubscribeOptions) {
    const subscription = await this.inner.subscribe(options);
    return { stop: async () => void subscription.stop() };
  }
}

class GivesEachSubscriptionAll extends Honest {
  override subscribe(options: SubscribeOptions) {
    return this.inner.subscribe({ ...options, group: fresh(options.group) });
  }
}

class BeginsNewGroupsAtTheEnd extends ChangesWhatIsSent {
  readonly sent = new Set<string>();
  change(messages: readonly Outgoing[]) {
    for (const { event } of messages) this.sent.add(event.id);
    return messages;
  }
  override async subscribe(options: SubscribeOptions) {
    const old = new Set(this.sent);
    return this.inner.subscribe({
      ...options,
      handle: async (deliveries) => options.handle(deliveries.filter(({ event }) => !old.has(event.id))),
    });
  }
}

class RedrivesToEveryone extends Honest {
  override async redrive(group: string, ids?: readonly string[]) {
    const letters = await this.inner.deadLetters(group, 100);
    const publisher = await this.inner.publisher(fresh('redrive'));
    await publisher.send(letters);
    return this.inner.redrive(group, ids);
  }
}

class RedrivesEverything extends Honest {
  override redrive(group: string) {
    return this.inner.redrive(group);
  }
}

class ReturnsLettersOfAnySize extends Honest {
  override async deadLetters(group: string, limit: number) {
    const letters = await this.inner.deadLetters(group, limit);
    const all = await this.inner.countDeadLetters(group);
    return Array.from({ length: Math.min(all, limit) }, (_, n) => letters[n] ?? letters[0]!);
  }
}

class BeginsTheLettersAnew extends Honest {
  override deadLetters(group: string, limit: number) {
    return this.inner.deadLetters(group, limit);
  }
}

class SaysItIsNeverBehind extends Honest {
  override async lag() {
    return [];
  }
}

class HandlesOneAtATime extends Honest {
  override subscribe(options: SubscribeOptions) {
    let last: Promise<unknown> = Promise.resolve();
    const handle = (deliveries: readonly Delivery[]) => {
      const mine = last.then(() => options.handle(deliveries));
      last = mine.catch(() => undefined);
      return mine;
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

class IgnoresTheLimits extends Honest {
  override subscribe(options: SubscribeOptions) {
    return this.inner.subscribe({ ...options, ...(options.batch && { batch: { events: 1_000, bytes: 1e9 } }) });
  }
}

class NeverHandsOverSeveral extends Honest {
  override subscribe({ batch: _, ...options }: SubscribeOptions) {
    return this.inner.subscribe(options);
  }
}

class MixesPartitions extends Honest {
  override subscribe(options: SubscribeOptions) {
    const waiting: Delivery[] = [];
    const mixed = Promise.withResolvers<void>();
    let isMixed = false;
    const handle = (deliveries: readonly Delivery[]) => {
      if (isMixed) return options.handle(deliveries);
      waiting.push(...deliveries);
      isMixed = new Set(waiting.map(({ partition }) => partition)).size > 1;
      if (isMixed) mixed.resolve(options.handle(waiting));
      return mixed.promise;
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

class SetsTheWholeBatchAside extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = async (deliveries: readonly Delivery[]) => {
      if (deliveries.length > 1 || deliveries[0]!.attempt === 1) return options.handle(deliveries);
      throw new Error('one of the batch was rejected');
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

class SkipsARejectedBatch extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = (deliveries: readonly Delivery[]) =>
      options.handle(deliveries).catch((error: unknown) => (deliveries.length > 1 ? undefined : Promise.reject(error)));
    return this.inner.subscribe({ ...options, handle });
  }
}

class IsolatesOneByOne extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = async (deliveries: readonly Delivery[]) => {
      for (const delivery of deliveries) await options.handle([delivery]);
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

class KeepsTrimmingToItself extends Honest {
  override subscribe({ onTrimmed: _, ...options }: SubscribeOptions) {
    return this.inner.subscribe(options);
  }
}

class TellsOfTrimmingOnce extends Honest {
  override subscribe(options: SubscribeOptions) {
    const onTrimmed = async (trimmed: Trimmed) => options.onTrimmed?.(trimmed)?.catch(() => undefined);
    return this.inner.subscribe({ ...options, onTrimmed });
  }
}

class TellsOfTrimmingLate extends Honest {
  override subscribe(options: SubscribeOptions) {
    const late: Trimmed[] = [];
    const handle = async (deliveries: readonly Delivery[]) => {
      await options.handle(deliveries);
      for (const trimmed of late.splice(0)) await options.onTrimmed?.(trimmed);
    };
    return this.inner.subscribe({ ...options, handle, onTrimmed: (trimmed) => void late.push(trimmed) });
  }
}

const broken: [new (inner: Broker) => Broker, string][] = [
  [TakesAnyName, 'refuses a name that a group cannot have on every broker'],
  [Reorders, 'delivers an event as it was sent, and in the order of its key'],
  [GivesNewIds, 'delivers an event as it was sent, and in the order of its key'],
  [BeginsNewGroupsAtTheEnd, 'gives each group everything, what was sent before it came as well'],
  [HandlesOneAtATime, 'handles other partitions while one is slow'],
  [GivesEachSubscriptionAll, 'shares the partitions among the subscriptions of a group'],
  [SaysItIsNeverBehind, 'counts how far a group is behind'],
  [IgnoresFencing, 'fences the older publisher of a name, and no other'],
  [CommitsBeforeHandling, 'tries again what a handler refuses, in its place, counting the tries'],
  [DropsPoisonSilently, 'sets a poison event aside after bounded tries, and goes on'],
  [TakesAnOutageForPoison, 'waits as long as it takes for what is not the fault of the event'],
  [NeverGivesUp, 'sets a poison event aside after bounded tries, and goes on'],
  [
    ReturnsLettersOfAnySize,
    'returns dead letters up to a number of bytes, the oldest first, and the others after the place of the last one',
  ],
  [BeginsTheLettersAnew, 'returns dead letters up to a number of bytes, the oldest first, and the others after the place of the last one'],
  [RedrivesToEveryone, 'redrives a dead letter to its group alone, once'],
  [RedrivesEverything, 'sets aside again what still fails when redriven, and redrives only what is named'],
  [CommitsOnACrash, 'delivers again after a crash whatever was not handled, under the same ids'],
  [LosesWhatIsInHandOnStop, 'finishes what is in hand when it stops, and loses nothing'],
  [Reorders, 'hands over batches in order, each of one partition and within its limits'],
  [IgnoresTheLimits, 'hands over batches in order, each of one partition and within its limits'],
  [NeverHandsOverSeveral, 'hands over batches in order, each of one partition and within its limits'],
  [MixesPartitions, 'hands over batches in order, each of one partition and within its limits'],
  [SetsTheWholeBatchAside, 'sets aside the poison event of a batch alone, and hands over its neighbours once'],
  [IsolatesOneByOne, 'sets aside the poison event of a batch alone, and hands over its neighbours once'],
  [SkipsARejectedBatch, 'sets aside the poison event of a batch alone, and hands over its neighbours once'],
  [SkipsARejectedBatch, 'hands a batch over again after NotNow until it succeeds'],
  [TakesAnOutageForPoison, 'hands a batch over again after NotNow until it succeeds'],
  [CommitsOnACrash, 'delivers a batch again after a crash'],
  [KeepsTrimmingToItself, 'tells a group of trimmed events before its next delivery'],
  [TellsOfTrimmingOnce, 'delivers nothing to a group that could not be told of trimmed events, and tells it again'],
  [TellsOfTrimmingLate, 'tells a group of trimmed events before its next delivery'],
];

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

describe('the contract of brokers', () => {
  for (const [Broken, name] of broken) {
    it(`catches one that ${inWords(Broken.name)}`, async () => {
      const harness = await harnesses.open(400, (broker) => new Broken(broker));
      const guilty = brokerContract.find((each) => each.name === name);
      await expect(guilty?.run(harness)).rejects.toThrow();
    });
  }

  it('acquits an honest one that is wrapped in the same way', async () => {
    for (const { run } of brokerContract) await run(await harnesses.open(patience(60_000), (broker) => new Honest(broker)));
  });
});

/** CommitsBeforeHandling → "commits before handling". */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=A)(?=[A-Z])/g, ' ').toLowerCase();
}
