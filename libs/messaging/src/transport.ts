import { BaseRpcContext, type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { type Broker, type CloudEvent, type Delivery, NotNow, type Subscription } from './broker.ts';
import type { NewerEvents } from './newer-events.ts';

export interface BrokerTransportOptions {
  readonly broker: Broker;
  /** The consumer group: the service's name. */
  readonly group: string;
  /** Wraps the handling of each delivery, to set a request context and a tracing span. */
  readonly around?: (delivery: Delivery, next: () => Promise<void>) => Promise<void>;
  /** Set if replicas of a newer release may run beside this process. */
  readonly newer?: NewerEvents;
}

/** The `@Ctx()` of a handler: topic, partition, offset and attempt of its event. */
export class DeliveryContext extends BaseRpcContext<[Delivery]> {
  get topic(): string {
    return this.args[0].topic;
  }
  get partition(): number {
    return this.args[0].partition;
  }
  get offset(): string {
    return this.args[0].offset;
  }
  get key(): string {
    return this.args[0].key;
  }
  get attempt(): number {
    return this.args[0].attempt;
  }
}

/**
 * The topic of events of a type: `parlance.bots` for `parlance.bots.bot-created.v1`. Throws a `RangeError` if the text is not the type of a
 * public event, which is a mistake in an `@EventPattern`.
 */
export function topicOf(type: string): string {
  const parts = /^(parlance\.[a-z][a-z0-9-]*)\.[a-z][a-z0-9-]*\.v[1-9][0-9]*$/.exec(type);
  if (!parts?.[1]) throw new RangeError(`${type} is not parlance.<service>.<event>.v<N>`);
  return parts[1];
}

/** Runs `@EventPattern` handlers on a broker. A delivery is complete when all handlers of its type are. */
export class BrokerTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('parlance-broker');
  // The broker retries failures, sets them aside and reports them, so Nest does not log them.
  override readonly propagatesEventHandlerErrors = true;
  readonly #options: BrokerTransportOptions;
  readonly #handlers = new Map<string, MessageHandler[]>();
  #subscription: Subscription | undefined;

  constructor(options: BrokerTransportOptions) {
    super();
    this.#options = options;
  }

  /**
   * Nest would combine the handlers of one type with `forkJoin`, which completes as soon as one of them fails or ends without a value. The
   * delivery could then be retried while other handlers are still running, so the handlers are kept in a list here.
   */
  override addHandler(pattern: unknown, handler: MessageHandler, isEventHandler = false): void {
    const type = String(pattern);
    if (!isEventHandler) throw new RangeError(`${type}: a broker carries events, not requests; use @EventPattern`);
    topicOf(type);
    this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler]);
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    const { broker, group } = this.#options;
    const types = [...this.#handlers.keys()];
    const topics = [...new Set(types.map(topicOf))];
    try {
      if (topics.length > 0)
        this.#subscription = await broker.subscribe({ group, topics, types, handle: (deliveries) => this.#handleEach(deliveries) });
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Waits for current deliveries. */
  async close(): Promise<void> {
    await this.#subscription?.stop();
    this.#subscription = undefined;
  }

  on(): never {
    throw new Error('a broker transport has no events of its own');
  }

  unwrap<T>(): T {
    return this.#options.broker as T;
  }

  async #handleEach(deliveries: readonly Delivery[]): Promise<void> {
    for (const delivery of deliveries) await this.#handle(delivery);
  }

  async #handle(delivery: Delivery): Promise<void> {
    const { around, newer } = this.#options;
    const handlers = this.#handlers.get(delivery.event.type);
    if (!handlers) return newer?.check(delivery.event.type);
    const next = () => settle(handlers, delivery.event, new DeliveryContext([delivery]));
    await (around ? around(delivery, next) : next());
  }
}

/** Waits for all handlers, then throws their failures. */
async function settle(handlers: readonly MessageHandler[], event: CloudEvent, context: DeliveryContext): Promise<void> {
  const outcomes = await Promise.allSettled(handlers.map((handler) => complete(handler, event, context)));
  const reasons = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);
  if (reasons.length === 0) return;
  // Thrown first, so that the delivery is retried. A failure that remains after the retry is caused by the event.
  const passing = reasons.find((reason) => reason instanceof NotNow);
  if (passing) throw passing;
  throw reasons.length === 1 ? reasons[0] : new AggregateError(reasons, `${reasons.length} handlers failed`);
}

async function complete(handler: MessageHandler, event: CloudEvent, context: DeliveryContext): Promise<void> {
  const answer: unknown = await handler(event, context);
  if (isObservable(answer)) await lastValueFrom(answer, { defaultValue: undefined });
}
