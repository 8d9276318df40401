import type { Commit, EventStore } from '@parlance/event-store';
import { Broker, type Outgoing } from './broker.ts';
import type { Outbox } from './relay/outbox.ts';

/** The log of a service in this process. */
export interface ServiceLog {
  readonly name: string;
  readonly store: Pick<EventStore, 'readAll' | 'head' | 'grown'>;
  /** The public events of a commit, in order. A private event has none. Public events have the IDs of the recorded events. */
  readonly publish: (commit: Commit) => readonly Outgoing[];
  /** Null for a log with events of any topic. */
  readonly topic: string | null;
  /** The position up to which a relay of release 0.3 had sent the log to the topics that existed then. */
  relayed(): Promise<number>;
}

/** A broker that delivers from the logs of the services themselves, so that no relay copies their events. */
export abstract class LogBroker extends Broker {
  /** Called before the service writes its first event. Events that are already in the log are delivered to groups that have not handled them. */
  abstract enter(log: ServiceLog): Promise<Outbox>;
}
