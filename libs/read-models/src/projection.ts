import type { Metadata, StoredEvent } from '@parlance/event-store';
import { type Change, checkOwner, type TableOwner } from './read-models.ts';

/** Where and when an event happened. */
export interface At {
  readonly stream: string;
  /** The stream's version after the append that the event came in. */
  readonly version: number;
  readonly position: number;
  /** The event's id. */
  readonly id: string;
  readonly metadata: Metadata;
}

/** Functions event → changes of rows, over the service's own log. Pure, since a rebuild runs them again. */
export interface Projection extends TableOwner {
  changes(event: StoredEvent, at: At): readonly Change[];
}

export interface ProjectionSpec<Event extends StoredEvent> extends TableOwner {
  /** What each event changes; events without a word here change nothing. */
  readonly on: { readonly [Type in Event['type']]?: (event: Extract<Event, { readonly type: Type }>, at: At) => readonly Change[] };
}

export function projection<Event extends StoredEvent>(spec: ProjectionSpec<Event>): Projection {
  checkOwner(spec);
  const handlers = new Map<string, (event: never, at: At) => readonly Change[]>(Object.entries(spec.on));
  return {
    name: spec.name,
    version: spec.version,
    tables: spec.tables,
    changes: (event, at) => handlers.get(event.type)?.(event as never, at) ?? NONE,
  };
}

/** An event of another service, as the broker delivers it. */
export interface ForeignEvent {
  readonly id: string;
  readonly type: string;
}

/** Functions event → changes of rows, over what other services say. */
export interface ForeignProjection extends TableOwner {
  /** The events it listens to: where a rebuild has to read them from follows from that. */
  readonly types: readonly string[];
  changes(event: ForeignEvent): readonly Change[];
}

export interface ForeignProjectionSpec<Event extends ForeignEvent> extends TableOwner {
  readonly on: { readonly [Type in Event['type']]?: (event: Extract<Event, { readonly type: Type }>) => readonly Change[] };
}

export function foreignProjection<Event extends ForeignEvent>(spec: ForeignProjectionSpec<Event>): ForeignProjection {
  checkOwner(spec);
  const handlers = new Map<string, (event: never) => readonly Change[]>(Object.entries(spec.on));
  return {
    name: spec.name,
    version: spec.version,
    tables: spec.tables,
    types: [...handlers.keys()],
    changes: (event) => handlers.get(event.type)?.(event as never) ?? NONE,
  };
}

const NONE: readonly Change[] = [];
