/** A public event: a CloudEvents 1.0 envelope in structured JSON. */
export interface CloudEvent<Data = unknown, Type extends string = string> {
  readonly specversion: '1.0';
  readonly id: string;
  /** The service that published it, such as `/identity`. */
  readonly source: string;
  /** Versioned: `parlance.bots.bot-created.v1`. */
  readonly type: Type;
  /** The stream of the event. */
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: Data;
  /** `position.index` in the source's log. Extension attributes are in lower case, as CloudEvents requires. */
  readonly sequence: string;
  readonly actor?: string;
  /** The ID of the personal access token with which the actor made the request. */
  readonly actortoken?: string;
  /** Sealed under the key of the acting user, like `actoragent`. Not sealed if the user is unknown. */
  readonly actorip?: string;
  readonly actoragent?: string;
  readonly requestid?: string;
  readonly correlationid?: string;
  readonly causationid?: string;
  readonly traceparent?: string;
}

export interface Outgoing {
  readonly topic: string;
  /** Events with the same key are delivered in the order in which they were sent. */
  readonly key: string;
  readonly event: CloudEvent;
}

export interface Delivery {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  readonly event: CloudEvent;
  /** The number of attempts to deliver the first delivery of this batch, including this one: 1 on the first attempt. */
  readonly attempt: number;
}

export interface DeadLetter extends Omit<Delivery, 'attempt'> {
  /** Opaque, for `redrive`. */
  readonly id: string;
  /** Opaque: the letter's position in its group's list. The next page starts there. */
  readonly place: string;
  readonly group: string;
  readonly reason: string;
  readonly failedAt: string;
}

/** The limits of one call of `handle`. A single event may be larger than `bytes`. */
export interface BatchLimit {
  readonly events: number;
  readonly bytes: number;
}

/** Events that the topic dropped before the group had read them: from the offset `from` up to, but not including, `to`. */
export interface Trimmed {
  readonly topic: string;
  readonly partition: number;
  readonly from: string;
  readonly to: string;
}

export interface SubscribeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** The types of events that the group handles; all if absent. A broker may leave out events of other types. */
  readonly types?: readonly string[];
  /** Default: one event. */
  readonly batch?: BatchLimit;
  /** Whether a few events may wait briefly, so that they are handled together with later ones. A broker may ignore this. */
  readonly mayGather?: boolean;
  /**
   * Gets deliveries of one partition, in order. When it rejects, the batch is halved and redelivered until the failing delivery is
   * alone. That one is retried with backoff and then set aside, and the partition continues. After `NotNow` the same deliveries
   * are retried until they succeed.
   */
  readonly handle: (deliveries: readonly Delivery[]) => Promise<void>;
  /** Called before the next delivery of a partition whose oldest events were dropped before this group had read them. */
  readonly onTrimmed?: (trimmed: Trimmed) => Promise<void> | void;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Thrown by `send` if there is a newer publisher of the same name. The older one must stop. */
export class Fenced extends Error {
  constructor(name: string) {
    super(`publisher ${name} was replaced by a newer one`);
    this.name = 'Fenced';
  }
}

/**
 * Thrown by a handler when a dependency is unavailable. The delivery is retried with backoff until it succeeds. The partition waits,
 * because later events would fail too.
 */
export class NotNow extends Error {
  constructor(cause: unknown) {
    super(`not now: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'NotNow';
  }
}

/** Thrown by a handler for a delivery that this process can never complete. It is set aside at once. */
export class UnsupportedEvent extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnsupportedEvent';
  }
}

/** Thrown by `raisePartitions`. The message says which group has to be stopped or has to read on. */
export class NotDrained extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotDrained';
  }
}

/** Sends in order. Of two publishers with the same name, the older is fenced. `send` resolves when the events are durable in the broker. */
export interface Publisher {
  send(messages: readonly Outgoing[]): Promise<void>;
  close(): Promise<void>;
}

/** `stop` takes no new deliveries, waits for the current batch, commits, and leaves the group. */
export interface Subscription {
  stop(): Promise<void>;
  /** Delivers the events that wait for later ones. Resolves when everything that has arrived was tried once. Undefined if nothing waits. */
  flush?(): Promise<void> | undefined;
}

export interface Lag {
  readonly topic: string;
  readonly partition: number;
  readonly behind: number;
}

/** Kafka accepts no other names for topics, and a group's dead letters have a topic of its name. Throws a `RangeError`. */
export function checkGroup(name: string): void {
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(name))
    throw new RangeError(`${name} can't name a group: letters, digits, dot, hyphen and underscore can`);
}

/** How long a topic keeps an event by default. */
export const RETENTION_DAYS = 14;
export const RETENTION_MS = RETENTION_DAYS * 24 * 60 * 60_000;
/**
 * The shortest time for which brokers keep the offsets of a group without members. A group without offsets is treated as new: it begins at
 * the oldest event, and missed events cannot be detected. Read models are kept for a week.
 */
export const OFFSETS_KEPT_MS = 28 * 24 * 60 * 60_000;
/** `deadLetters` ends its page when the events have this many bytes. */
export const DEAD_LETTER_BYTES = 4 * 1024 * 1024;

/**
 * Topics with partitions. Events with the same key stay in order. Each group gets each event at least once. Topics are trimmed: a new group
 * begins with the oldest event that is still there.
 */
export abstract class Broker {
  abstract ensureTopics(topics: readonly string[]): Promise<void>;
  /** The number of partitions of a topic. The topic is created if it does not exist. */
  abstract partitions(topic: string): Promise<number>;
  abstract publisher(name: string): Promise<Publisher>;
  abstract subscribe(options: SubscribeOptions): Promise<Subscription>;
  /**
   * The oldest dead letters of a group, or the letters after the `place` of an earlier one, which may no longer exist: `limit` of them, or
   * fewer if they reach `DEAD_LETTER_BYTES`.
   */
  abstract deadLetters(group: string, limit: number, after?: string): Promise<readonly DeadLetter[]>;
  /** How many dead letters a group has. */
  abstract countDeadLetters(group: string): Promise<number>;
  /** Delivers dead letters to their group again (all, or those with these IDs), at least once. Returns their number. */
  abstract redrive(group: string, ids?: readonly string[]): Promise<number>;
  abstract lag(group: string): Promise<readonly Lag[]>;
  /**
   * Adds partitions to topics that exist. Rejects with `NotDrained`, and changes nothing, while a group of these topics is running or has unread events:
   * events would lose the order of their key. Groups for which `isRebuilt` holds may have unread events.
   */
  raisePartitions(_topics: readonly string[], _count: number, _isRebuilt: (group: string) => boolean): Promise<void> {
    return Promise.reject(new RangeError('the embedded broker has a fixed number of partitions'));
  }
  /** Rejects with `NotDrained` while a group of an installation with these services is running. */
  requireStopped(_services: readonly string[]): Promise<void> {
    return Promise.resolve();
  }
  /** Removes all topics and groups of an installation with these services, which are stopped. */
  removeAll(_services: readonly string[]): Promise<void> {
    return Promise.reject(new RangeError('the embedded broker has no topics of its own'));
  }
  abstract close(): Promise<void>;
}
