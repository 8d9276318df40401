import type { ForeignEvent } from './projection.ts';

/** A public event as the broker and the log of its source deliver it. */
export interface PublishedEvent extends ForeignEvent {
  /** The stream of the event, which is also its key. */
  readonly subject: string;
  /** Position in its source's log: `position.index`. */
  readonly sequence: string;
  /** When it was recorded, RFC 3339. */
  readonly time: string;
}

export interface Delivery {
  readonly topic: string;
  readonly partition: number;
  readonly event: PublishedEvent;
}

/** The topic and the source of events of a type. */
export interface TopicOrigin {
  readonly source: string;
  readonly topic: string;
}

export interface PageLimit {
  readonly events: number;
  readonly bytes: number;
}

export interface Following {
  readonly group: string;
  readonly topics: readonly string[];
  /** Events of other types may be left out. */
  readonly types: readonly string[];
  readonly batch: PageLimit;
  /** Whether a few events may wait briefly for later ones, or until `flush`. */
  readonly mayGather: boolean;
  /** Handles deliveries of one partition in order. After a rejection they must be delivered again until they succeed, before later ones. */
  readonly handle: (deliveries: readonly Delivery[]) => Promise<void>;
  /** Called if the topic dropped events that the group has not read. If it rejects, it is called again before the next delivery. */
  readonly onTrimmed: () => Promise<void>;
}

export interface FollowedTopics {
  stop(): Promise<void>;
  /** Delivers the events that wait. Resolves when everything that has arrived was tried once. Undefined if nothing waits. */
  flush?(): Promise<void> | undefined;
}

/** A position in the log of a source, and when its event was recorded (RFC 3339). */
export interface Moment {
  readonly position: number;
  readonly time: string;
}

/** The topics of other services. A topic has one source. */
export abstract class Topics {
  abstract originOf(type: string): TopicOrigin;
  abstract partitions(topic: string): Promise<number>;
  /** Partitions from which the group has not received all events yet. */
  abstract lagging(group: string): Promise<readonly { readonly topic: string; readonly partition: number }[]>;
  /** A new group begins with the oldest event in the topic. */
  abstract subscribe(following: Following): Promise<FollowedTopics>;
}

/** The public events in the logs of other services. The logs keep all events. */
export abstract class PublishedEvents {
  /**
   * Events of the commits after a position, in the order of the log. The result includes everything up to its `position`; `head` is the end
   * of the log.
   */
  abstract after(
    source: string,
    position: number,
    limit: PageLimit,
  ): Promise<{ readonly events: readonly PublishedEvent[]; readonly position: number; readonly head: number }>;
}

/** Compares two positions in a log. Their parts are compared as numbers. */
export function compareSequences(a: string, b: string): number {
  const [position = 0, index = 0] = a.split('.').map(Number);
  const [otherPosition = 0, otherIndex = 0] = b.split('.').map(Number);
  return position - otherPosition || index - otherIndex;
}

export function positionOf(sequence: string): number {
  return Number.parseInt(sequence, 10);
}

/** The sequence just before the first event after a position. */
export function afterPosition(position: number): string {
  return `${position + 1}.-1`;
}
