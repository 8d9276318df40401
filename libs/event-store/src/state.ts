import { type Decider, fold, UnknownEvent } from '@parlance/decider';
import { commitsOf, type EventStore, type Snapshot, type StoredEvent } from './event-store.ts';

/** The state of a stream as read so far. */
export interface Known<State> {
  readonly state: State;
  readonly version: number;
  /** Position of that version; 0 if unknown. */
  readonly position: number;
  /** Version of the newest snapshot that is known to be stored; 0 if there is none. */
  readonly saved: number;
}

type Folding<Event, State> = Pick<Decider<never, Event, State>, 'evolve' | 'initialState' | 'snapshots'>;

/** Snapshots that are being saved, by stream and shape, so that concurrent readers of a stream do not save the same snapshot. */
const saving = new WeakMap<EventStore, Set<string>>();

/** How many states one process caches. Only states of deciders with snapshots are cached, and these are small. */
const MAX_CACHED_STATES = 1_000;
const remembered = new WeakMap<EventStore, Map<string, Known<unknown>>>();

/** The cached state of a stream. Another process may have appended since; an append at the cached version then conflicts. */
export function recall<State>(store: EventStore, { snapshots }: Folding<never, State>, stream: string): Known<State> | undefined {
  return snapshots && (remembered.get(store)?.get(keyOf(stream, snapshots.shape)) as Known<State> | undefined);
}

export function remember<State>(store: EventStore, { snapshots }: Folding<never, State>, stream: string, known: Known<State>): void {
  if (!snapshots) return;
  let states = remembered.get(store);
  if (!states) remembered.set(store, (states = new Map()));
  const key = keyOf(stream, snapshots.shape);
  states.delete(key);
  states.set(key, known);
  if (states.size > MAX_CACHED_STATES) states.delete(states.keys().next().value!);
}

const keyOf = (stream: string, shape: string) => `${shape} ${stream}`;

/** The state of a stream before its first event. */
export const unread = <State>({ initialState }: Folding<never, State>): Known<State> => ({
  state: initialState,
  version: 0,
  position: 0,
  saved: 0,
});

/** The state of a stream, from its newest snapshot and the commits since. Saves a snapshot if one is due. */
export async function stateOf<Event extends StoredEvent, State>(
  store: EventStore,
  decider: Folding<Event, State>,
  stream: string,
): Promise<Known<State>> {
  const snapshot = decider.snapshots && ((await store.loadSnapshot(stream, decider.snapshots.shape)) as Snapshot<State> | null);
  if (!snapshot) return catchUp(store, decider, stream, unread(decider));
  const { state, version } = snapshot;
  return catchUp(store, decider, stream, { state, version, position: 0, saved: version });
}

/** The state including all commits until now. If the stream was not read before, its snapshot is used. */
export function current<Event extends StoredEvent, State>(
  store: EventStore,
  decider: Folding<Event, State>,
  stream: string,
  known: Known<State>,
): Promise<Known<State>> {
  return known.version === 0 ? stateOf(store, decider, stream) : catchUp(store, decider, stream, known);
}

/** The state including all commits until now. Only commits that this process has not seen are read. */
export async function upToDate<Event extends StoredEvent, State>(
  store: EventStore,
  decider: Folding<Event, State>,
  stream: string,
): Promise<Known<State>> {
  const known = await current(store, decider, stream, recall(store, decider, stream) ?? unread(decider));
  remember(store, decider, stream, known);
  return known;
}

/** Folds the events appended since the known state. Throws `UnknownEvent`, so that a snapshot never leaves out an event of a newer release. */
async function catchUp<Event extends StoredEvent, State>(
  store: EventStore,
  decider: Folding<Event, State>,
  stream: string,
  known: Known<State>,
): Promise<Known<State>> {
  let { state, version, position } = known;
  for await (const commit of commitsOf(store, stream, version)) {
    for (const { event } of commit.events) {
      state = decider.evolve(state, event as Event);
      if (state === undefined) throw new UnknownEvent(event.type);
    }
    ({ version, position } = commit);
  }
  return withSnapshot(store, decider, stream, { ...known, state, version, position });
}

/** Folds the events that the caller has appended. */
export function advance<Event extends StoredEvent, State>(
  store: EventStore,
  decider: Folding<Event, State>,
  stream: string,
  known: Known<State>,
  { events, version, position }: { readonly events: readonly Event[]; readonly version: number; readonly position: number },
): Known<State> {
  return withSnapshot(store, decider, stream, { ...known, state: fold(decider, events, known.state), version, position });
}

/**
 * Saves a snapshot if one is due, without waiting for it. It is due whenever the newest stored one is too old, so the next reader replaces
 * a snapshot that a crash or an error has lost.
 */
function withSnapshot<State>(
  store: EventStore,
  { snapshots }: Pick<Decider<never, never, State>, 'snapshots'>,
  stream: string,
  known: Known<State>,
): Known<State> {
  const { state, version, saved } = known;
  if (!snapshots || version - saved < snapshots.every) return known;
  const { shape } = snapshots;
  const key = keyOf(stream, shape);
  const others = saving.get(store) ?? new Set();
  saving.set(store, others);
  if (!others.has(key)) {
    others.add(key);
    store
      .saveSnapshot(stream, { version, shape, state })
      // The cached state counts the snapshot as stored.
      .catch(() => remembered.delete(store))
      .finally(() => others.delete(key));
  }
  return { ...known, saved: version };
}
