import type { Metadata, StoredEvent } from '@parlance/event-store';
import type { Moment } from './published.ts';
import type { ReadModels } from './read-models.ts';
import { type Change, checkOwner, type Table, type TableOwner } from './table.ts';

/** Where and when an event happened. */
export interface At {
  readonly stream: string;
  /** The stream's version after the append that contains the event. */
  readonly version: number;
  readonly position: number;
  /** The event's id. */
  readonly id: string;
  readonly metadata: Metadata;
}

/**
 * The consequence for a projection when one of its functions throws or returns an invalid change. `stop`: the projection stops, and commands
 * continue. `park`: the event's key (its stream) is set aside with all later events of that key, and the other keys continue.
 * `Projector.redrive` continues in both cases.
 */
export type OnError = 'stop' | 'park';

interface Common extends TableOwner {
  readonly onError: OnError;
}

/** Functions that map events of the service's own log to changes of rows. They must be pure, because they run again for every new version. */
export interface Projection extends Common {
  /** Whether `Projector.includes` waits for it. */
  readonly awaited: boolean;
  readonly outdated?: ProjectionSpec<StoredEvent>['outdated'];
  changes(event: StoredEvent, at: At): readonly Change[];
}

export interface ProjectionSpec<Event extends StoredEvent> extends TableOwner {
  /** What each event changes. Events that are not named here change nothing. */
  readonly on: { readonly [Type in Event['type']]?: (event: Extract<Event, { readonly type: Type }>, at: At) => readonly Change[] };
  /** Default: true. */
  readonly awaited?: boolean;
  /** Default: `stop`. */
  readonly onError?: OnError;
  /** Rows that queries no longer need. They are removed at each start and once a day. `now`: as ISO 8601. */
  outdated?(now: string): readonly OutdatedRows[];
}

export function projection<Event extends StoredEvent>(spec: ProjectionSpec<Event>): Projection {
  checkOwner(spec);
  const { name, version, tables, awaited = true, onError = 'stop' } = spec;
  const handlers = new Map<string, (event: never, at: At) => readonly Change[]>(Object.entries(spec.on));
  const { outdated } = spec;
  const changes = (event: StoredEvent, at: At) => handlers.get(event.type)?.(event as never, at) ?? NONE;
  return { name, version, tables, awaited, onError, changes, ...(outdated && { outdated }) };
}

/** An event of another service, as the broker delivers it. */
export interface ForeignEvent {
  readonly id: string;
  readonly type: string;
}

/** A table, and the key before which its rows are outdated, or the value of an index's first field up to which they are. */
export type OutdatedRows =
  | { readonly table: Table; readonly key: string }
  | { readonly table: Table; readonly index: string; readonly upTo: number };

/** Rows that no later event reads. They are removed at startup and once a day. */
export interface Outdated {
  /** The newest event in the rows. */
  newest(models: ReadModels): Promise<Moment | null>;
  /** The keys before which the rows of each table are outdated, if the rows include all events up to a moment. */
  before(complete: Moment): readonly OutdatedRows[];
}

/** Functions that map other services' events to changes of rows. */
export interface ForeignProjection extends Common {
  /** Whether the service waits for its rows before it is ready. */
  readonly isAwaited: boolean;
  readonly outdated?: Outdated;
  /** The types of events that it reads. */
  readonly types: readonly string[];
  changes(event: ForeignEvent): readonly Change[];
}

export interface ForeignProjectionSpec<Event extends ForeignEvent> extends TableOwner {
  readonly on: { readonly [Type in Event['type']]?: (event: Extract<Event, { readonly type: Type }>) => readonly Change[] };
  /** Default: `stop`. */
  readonly onError?: OnError;
  /**
   * Default: true. False where the other service waits for this one: both would wait forever. Queries on its rows reject with
   * `ReadModelBuilding` until they are built.
   */
  readonly isAwaited?: boolean;
  /** Default: none. */
  readonly outdated?: Outdated;
}

export function foreignProjection<Event extends ForeignEvent>(spec: ForeignProjectionSpec<Event>): ForeignProjection {
  checkOwner(spec);
  const { name, version, tables, onError = 'stop', isAwaited = true, outdated } = spec;
  const handlers = new Map<string, (event: never) => readonly Change[]>(Object.entries(spec.on));
  const changes = (event: ForeignEvent) => handlers.get(event.type)?.(event as never) ?? NONE;
  return { name, version, tables, onError, isAwaited, types: [...handlers.keys()], changes, ...(outdated && { outdated }) };
}

const NONE: readonly Change[] = [];
