import { setTimeout as pause } from 'node:timers/promises';
import { type Decider, fold, refuse, Refusal, type SnapshotPolicy } from '@parlance/decider';
import {
  commitsOf,
  type Earlier,
  type EventStore,
  type Metadata,
  type RecordedEvent,
  type Snapshot,
  type StoredEvent,
  VersionConflict,
} from './event-store.ts';

export interface Execution<Command> {
  readonly stream: string;
  readonly command: Command;
  readonly metadata: Metadata;
  /** See `Append.once`: with a name that was used before, nothing is written and the stream's present state is the answer. */
  readonly once?: string | readonly string[];
  /** Instead of those that the decider declares. */
  readonly snapshots?: SnapshotPolicy;
  /** Sees the version that is about to be decided on, each time; what it throws ends the execution. For callers who have seen a version. */
  readonly accepts?: (version: number) => void;
  /** How often to decide, when others keep appending to the stream in between. */
  readonly attempts?: number;
}

export interface Executed<Event extends StoredEvent, State> {
  /** The state after the command. */
  readonly state: State;
  readonly version: number;
  /** Of what was appended; 0 when nothing was, or when the store assigns positions later. */
  readonly position: number;
  /** What was appended: nothing when the decision was `[]` or `once` had been used. */
  readonly events: readonly RecordedEvent<Event>[];
  readonly written: boolean;
  /** The names of `once` that had been used before. If there are any, nothing was written. */
  readonly earlier: readonly Earlier[];
}

interface Known<State> {
  readonly state: State;
  readonly version: number;
}

const ATTEMPTS = 10;
/** The first conflicts are met at once: mostly two callers, of which one has won by now. */
const ATTEMPTS_WITHOUT_PAUSE = 3;
const LONGEST_PAUSE = 100;

async function catchUp<Event extends StoredEvent, State>(
  store: EventStore,
  stream: string,
  decider: Pick<Decider<never, Event, State>, 'evolve' | 'initialState'>,
  known: Known<State>,
): Promise<Known<State>> {
  let { state, version } = known;
  for await (const commit of commitsOf(store, stream, version)) {
    state = fold(
      decider,
      commit.events.map(({ event }) => event as Event),
      state,
    );
    version = commit.version;
  }
  return { state, version };
}

/**
 * Carries out one command on one stream: folds the stream, decides, appends, and decides again on what is new whenever somebody
 * else was quicker. Throws the decider's refusal; and `unavailable`/`stream_busy` when every attempt met a conflict, since
 * nothing forbids the command: a later try may do.
 */
export async function execute<Command, Event extends StoredEvent, State>(
  store: EventStore,
  decider: Decider<Command, Event, State>,
  { stream, command, metadata, once, snapshots = decider.snapshots, accepts, attempts = ATTEMPTS }: Execution<Command>,
): Promise<Executed<Event, State>> {
  const snapshot = snapshots ? await store.loadSnapshot(stream) : null;
  let known: Known<State> =
    snapshot && snapshot.shape === snapshots?.shape
      ? { state: (snapshot as Snapshot<State>).state, version: snapshot.version }
      : { state: decider.initialState, version: 0 };

  for (let attempt = 1; attempt <= attempts; attempt++) {
    known = await catchUp(store, stream, decider, known);
    accepts?.(known.version);
    const decision = decider.decide(command, known.state);
    if (decision instanceof Refusal) throw decision;
    if (decision.length === 0) return { state: known.state, version: known.version, position: 0, events: [], written: false, earlier: [] };
    try {
      const appended = await store.append({
        stream,
        expected: known.version,
        events: decision,
        metadata,
        ...(once !== undefined && { once }),
      });
      if (!appended.written) {
        const { state, version } = await catchUp(store, stream, decider, known);
        return { state, version, position: 0, events: [], written: false, earlier: appended.earlier };
      }
      const { version, position } = appended;
      const events = appended.events as readonly unknown[] as readonly RecordedEvent<Event>[];
      const state = fold(decider, decision, known.state);
      // Each version has one writer, so one of them saves. Nobody waits for it: without this snapshot, reads are longer until the next.
      if (snapshots && version % snapshots.every === 0) {
        store.saveSnapshot(stream, { version, shape: snapshots.shape, state }).catch(() => undefined);
      }
      return { state, version, position, events, written: true, earlier: [] };
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
    if (attempt > ATTEMPTS_WITHOUT_PAUSE) {
      await pause(Math.random() * Math.min(LONGEST_PAUSE, 5 * 2 ** (attempt - ATTEMPTS_WITHOUT_PAUSE)));
    }
  }
  throw refuse('unavailable', 'stream_busy', `${stream} changed during each of ${attempts} attempts`);
}
