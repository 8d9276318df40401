import { newId } from './new-id.ts';
import type { RecordedEvent, StoredEvent } from './event-store.ts';

/** The fields of an event without its type, in any schema: the argument and result of an upcast. */
export type Fields = Readonly<Record<string, unknown>>;
/** Upgrades the fields of an event from one schema number to the next. Pure; it is never called with a newer event. */
export type Upcast = (fields: Fields) => Fields;

/** Thrown if an event has a schema that this program does not know, because a newer version has written the event. */
export class NewerEvent extends Error {
  constructor(
    readonly type: string,
    readonly found: number,
    readonly known: number,
  ) {
    super(`${type} was written by a newer version (schema ${found}, this program knows ${known})`);
    this.name = 'NewerEvent';
  }
}

/**
 * The history of every event type's schema. The first function of a type upgrades schema 1 to 2, the second 2 to 3, and so on; a type without
 * functions is at schema 1. Functions are only ever added. A type must keep its name, because another name is another type.
 */
export class Upcasters {
  private readonly steps: ReadonlyMap<string, readonly Upcast[]>;

  constructor(steps: Readonly<Record<string, readonly Upcast[]>> = {}) {
    this.steps = new Map(Object.entries(steps));
  }

  /** Gives new events ascending IDs and the current schema numbers. */
  record(events: readonly StoredEvent[]): RecordedEvent[] {
    return events.map((event) => ({ id: newId(), schema: this.current(event.type), event }));
  }

  present(recorded: RecordedEvent): RecordedEvent {
    const { id, schema, event } = recorded;
    const current = this.current(event.type);
    if (schema === current) return recorded;
    if (schema > current) throw new NewerEvent(event.type, schema, current);
    const { type, ...old } = event;
    let fields: Fields = old;
    for (const upcast of this.steps.get(type)?.slice(schema - 1) ?? []) fields = upcast(fields);
    return { id, schema: current, event: { ...fields, type } };
  }

  private current(type: string): number {
    return 1 + (this.steps.get(type)?.length ?? 0);
  }
}
