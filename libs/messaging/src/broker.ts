/** A public event on its way: a CloudEvents 1.0 envelope in structured JSON, sent under the key that orders it. */
export interface CloudEvent<Data = unknown, Type extends string = string> {
  readonly specversion: '1.0';
  readonly id: string;
  /** The service that says it, as `/identity`. */
  readonly source: string;
  /** Versioned: `parlance.bots.bot-created.v1`. */
  readonly type: Type;
  /** The stream it happened to: also the key, so that one stream's events stay in order. */
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: Data;
  /** Extension attributes (lower case, as CloudEvents wants them): where in the source's log, and who caused it. */
  readonly sequence: string;
  readonly actor?: string;
  readonly actorip?: string;
  readonly actoragent?: string;
  readonly requestid?: string;
  readonly correlationid?: string;
  readonly causationid?: string;
  readonly traceparent?: string;
}

export interface Outgoing {
  readonly topic: string;
  readonly key: string;
  readonly event: CloudEvent;
}

export interface Delivery {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  readonly event: CloudEvent;
  /** 1 on the first try. */
  readonly attempt: number;
}

export interface DeadLetter extends Omit<Delivery, 'attempt'> {
  /** Opaque, for `redrive`. */
  readonly id: string;
  readonly group: string;
  readonly reason: string;
  readonly failedAt: string;
}

export interface SubscribeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** Rejecting means: try again, with backoff, then dead-letter and go on. Rejecting with `NotNow` means: again and again. */
  readonly handle: (delivery: Delivery) => Promise<void>;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Thrown when a publisher has been replaced by a newer one of the same name: it must stop, its place is taken. */
export class Fenced extends Error {
  constructor(name: string) {
    super(`publisher ${name} was replaced by a newer one`);
    this.name = 'Fenced';
  }
}

/**
 * For handlers to reject with when it isn't the event's fault: a database or a service is down. It is tried again, with backoff, until
 * that has passed; the partition waits, since what comes next would fail alike. A dead letter would need a hand to be mended.
 */
export class NotNow extends Error {
  constructor(cause: unknown) {
    super(`not now: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'NotNow';
  }
}

/** Sends in order; of two publishers of one name the older is fenced. Resolves when the events are durable in the broker. */
export interface Publisher {
  send(messages: readonly Outgoing[]): Promise<void>;
  close(): Promise<void>;
}

/** Stops taking new deliveries, waits for the one in hand, commits, leaves the group. */
export interface Subscription {
  stop(): Promise<void>;
}

export interface Lag {
  readonly topic: string;
  readonly partition: number;
  readonly behind: number;
}

/**
 * Topics with partitions, ordered by key; groups with offsets of their own, each event at least once per group.
 * A delivery that keeps failing is set aside in the group's dead letters and the partition goes on.
 */
export abstract class Broker {
  abstract ensureTopics(topics: readonly string[]): Promise<void>;
  abstract publisher(name: string): Promise<Publisher>;
  abstract subscribe(options: SubscribeOptions): Promise<Subscription>;
  /** Reads a topic from its beginning up to what is there now, outside any group: for rebuilding a read model. */
  abstract replay(topics: readonly string[], handle: (delivery: Delivery) => Promise<void>): Promise<void>;
  abstract deadLetters(group: string, limit: number): Promise<readonly DeadLetter[]>;
  /** Delivers dead letters to their group again (all, or those named); answers how many. */
  abstract redrive(group: string, ids?: readonly string[]): Promise<number>;
  abstract lag(group: string): Promise<readonly Lag[]>;
  abstract close(): Promise<void>;
}
