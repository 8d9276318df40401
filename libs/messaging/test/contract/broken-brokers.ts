import { Broker, type CloudEvent, type DeadLetter, type Delivery, type Lag, type Outgoing, type Publisher } from '../../src/broker.ts';
import type { SubscribeOptions, Subscription } from '../../src/broker.ts';
import { fresh } from './harness.ts';

/** A working broker. Each broken one differs from it in one place. */
export class Honest extends Broker {
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

/** Its handlers end with the specs at the latest. A failed case may leave a handler hanging, and `close` would wait for it. */
export class EndsHandlers extends Honest {
  constructor(
    inner: Broker,
    private readonly ended: Promise<void>,
  ) {
    super(inner);
  }
  override subscribe(options: SubscribeOptions): Promise<Subscription> {
    return this.inner.subscribe({ ...options, handle: (deliveries) => Promise.race([options.handle(deliveries), this.ended]) });
  }
}

/** Sends the events that `change` returns. */
export abstract class ChangesWhatIsSent extends Honest {
  abstract change(messages: readonly Outgoing[]): readonly Outgoing[];
  override async publisher(name: string): Promise<Publisher> {
    const publisher = await this.inner.publisher(name);
    return { send: (messages) => publisher.send(this.change(messages)), close: () => publisher.close() };
  }
}

export class TakesAnyName extends Honest {
  override subscribe(options: SubscribeOptions): Promise<Subscription> {
    return this.inner.subscribe({ ...options, group: options.group.replaceAll(/[^a-z0-9.-]/g, '').slice(0, 200) || 'nameless' });
  }
}

export class Reorders extends ChangesWhatIsSent {
  change(messages: readonly Outgoing[]) {
    return messages.toReversed();
  }
}

export class GivesNewIds extends ChangesWhatIsSent {
  change(messages: readonly Outgoing[]) {
    return messages.map((each) => ({ ...each, event: { ...each.event, id: fresh('id') } as CloudEvent }));
  }
}

export class CommitsBeforeHandling extends Honest {
  override subscribe(options: SubscribeOptions) {
    return this.inner.subscribe({
      ...options,
      handle: async (deliveries) => void options.handle(deliveries).catch(() => undefined),
    });
  }
}

export class CommitsOnACrash extends Honest {
  override subscribe(options: SubscribeOptions) {
    // A handler that hangs counts as complete, as if its session had expired unnoticed.
    const expired = () => new Promise<void>((resolve) => setImmediate(resolve));
    return this.inner.subscribe({ ...options, handle: (deliveries) => Promise.race([options.handle(deliveries), expired()]) });
  }
}

export class DropsPoisonSilently extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = (deliveries: readonly Delivery[]) =>
      options.handle(deliveries).catch((error: unknown) => (deliveries[0]!.attempt < 3 ? Promise.reject(error) : undefined));
    return this.inner.subscribe({ ...options, handle });
  }
}

export class TakesAnOutageForPoison extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = (deliveries: readonly Delivery[]) =>
      options.handle(deliveries).catch((error: Error) => {
        throw new Error(error.message);
      });
    return this.inner.subscribe({ ...options, handle });
  }
}

export class NeverGivesUp extends Honest {
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

export class IgnoresFencing extends Honest {
  override publisher(name: string) {
    return this.inner.publisher(fresh(name));
  }
}

export class LosesWhatIsInHandOnStop extends Honest {
  override async subscribe(options: SubscribeOptions) {
    const subscription = await this.inner.subscribe(options);
    return { stop: async () => void subscription.stop() };
  }
}

export class GivesEachSubscriptionAll extends Honest {
  override subscribe(options: SubscribeOptions) {
    return this.inner.subscribe({ ...options, group: fresh(options.group) });
  }
}

export class BeginsNewGroupsAtTheEnd extends ChangesWhatIsSent {
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

export class RedrivesToEveryone extends Honest {
  override async redrive(group: string, ids?: readonly string[]) {
    const letters = await this.inner.deadLetters(group, 100);
    const publisher = await this.inner.publisher(fresh('redrive'));
    await publisher.send(letters);
    return this.inner.redrive(group, ids);
  }
}

export class RedrivesEverything extends Honest {
  override redrive(group: string) {
    return this.inner.redrive(group);
  }
}

export class ReturnsLettersOfAnySize extends Honest {
  override async deadLetters(group: string, limit: number) {
    const letters = await this.inner.deadLetters(group, limit);
    const all = await this.inner.countDeadLetters(group);
    return Array.from({ length: Math.min(all, limit) }, (_, n) => letters[n] ?? letters[0]!);
  }
}

export class BeginsTheLettersAnew extends Honest {
  override deadLetters(group: string, limit: number) {
    return this.inner.deadLetters(group, limit);
  }
}

export class SaysItIsNeverBehind extends Honest {
  override async lag() {
    return [];
  }
}
