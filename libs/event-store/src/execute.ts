import { setTimeout as pause } from 'node:timers/promises';
import { type Decider, refuse, Refusal } from '@parlance/decider';
import { type Append, type Earlier, namesOf, VersionConflict } from './append.ts';
import type { EventStore, Metadata, RecordedEvent, StoredEvent } from './event-store.ts';
import { advance, current, type Known, recall, remember, stateOf, unread } from './state.ts';

export interface Execution<Command> extends Pick<Append, 'once' | 'companions'> {
  readonly stream: string;
  readonly command: Command;
  readonly metadata: Metadata;
  /** Called with the version of each decision, unless the decision refuses the stream as missing. Callers that expect a version throw here, which ends the execution. */
  readonly accepts?: (version: number) => void;
  /** True if the caller has just created the stream's ID. The first decision is then made without reading. If the stream exists after all, it is read, and the command is decided again. */
  readonly isNew?: boolean;
  /** The maximum number of decisions if others keep appending to the stream in between. */
  readonly attempts?: number;
}

export interface Executed<Event extends StoredEvent, State> {
  /** The state after the command. */
  readonly state: State;
  readonly version: number;
  /** The position of that version; 0 if the store assigns positions later. */
  readonly position: number;
  /** The appended events. Empty if the decision was `[]` or a name of `once` had been used. */
  readonly events: readonly RecordedEvent<Event>[];
  readonly written: boolean;
  /** The names of `once` that had been used before. If there are any, nothing was written. */
  readonly earlier: readonly Earlier[];
}

/** The last command of each stream that this process executes on a store. */
const last = new WeakMap<EventStore, Map<string, Promise<unknown>>>();

const ATTEMPTS = 10;
/** The first conflicts are retried at once, because usually there are two callers and the other one has finished. */
const ATTEMPTS_WITHOUT_PAUSE = 3;
const LONGEST_PAUSE = 100;

/**
 * Executes one command on one stream: folds the stream, decides, appends, and decides again if an append of another process came first. Commands of this
 * process on one stream are executed one after another, in the order of the calls.
 *
 * If a name of `once` is already in the log, nothing is written and the stream's current state is returned. This also applies if the decider would
 * refuse the command now, so that a redelivery is not refused because of its own effect.
 *
 * Throws the decider's refusal, and `unavailable`/`stream_busy` if every attempt had a conflict; a later attempt may succeed.
 */
export function execute<Command, Event extends StoredEvent, State>(
  store: EventStore,
  decider: Decider<Command, Event, State>,
  execution: Execution<Command>,
): Promise<Executed<Event, State>> {
  const { stream } = execution;
  let streams = last.get(store);
  if (!streams) last.set(store, (streams = new Map()));
  const work = () => executeNow(store, decider, execution);
  const done = streams.get(stream)?.then(work, work) ?? work();
  streams.set(stream, done);
  const forget = () => {
    if (streams.get(stream) === done) streams.delete(stream);
  };
  done.then(forget, forget);
  return done;
}

async function executeNow<Command, Event extends StoredEvent, State>(
  store: EventStore,
  decider: Decider<Command, Event, State>,
  { stream, command, metadata, once, companions, accepts, isNew = false, attempts = ATTEMPTS }: Execution<Command>,
): Promise<Executed<Event, State>> {
  const names = namesOf(once);
  const answer = ({ state, version, position }: Known<State>, earlier: readonly Earlier[] = []) => {
    return { state, version, position, events: [], written: false, earlier };
  };
  const cached = recall(store, decider, stream) ?? (isNew ? unread(decider) : undefined);
  let known = cached ?? (await stateOf(store, decider, stream));
  // An append proves that a cached or assumed state was current. A decision without an append must read the log.
  let isProven = cached === undefined;

  for (let attempt = 1; ; attempt++) {
    let { events: decision, refused } = decided(decider, command, known, accepts);
    if (!isProven && decision.length === 0) {
      known = await current(store, decider, stream, known);
      isProven = true;
      ({ events: decision, refused } = decided(decider, command, known, accepts));
    }
    if (refused !== undefined) {
      // Checked only after a refusal, because the effect itself may be its reason. An append checks the names anyway.
      const earlier = names.length > 0 ? await store.earlier(names) : [];
      if (earlier.length === 0) throw refused;
      return answer(await current(store, decider, stream, known), earlier);
    }
    if (decision.length === 0) return answer(known);
    try {
      const append: Append = { stream, expected: known.version, events: decision, metadata };
      const appended = await store.append({ ...append, ...(once !== undefined && { once }), ...(companions && { companions }) });
      if (!appended.written) return answer(await current(store, decider, stream, known), appended.earlier);
      const { version, position } = appended;
      const events = appended.events as readonly unknown[] as readonly RecordedEvent<Event>[];
      const after = advance(store, decider, stream, known, { events: decision, version, position });
      remember(store, decider, stream, after);
      const { state } = after;
      return { state, version, position, events, written: true, earlier: [] };
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
    if (attempt >= attempts) break;
    if (attempt > ATTEMPTS_WITHOUT_PAUSE) {
      await pause(Math.random() * Math.min(LONGEST_PAUSE, 5 * 2 ** (attempt - ATTEMPTS_WITHOUT_PAUSE)));
    }
    known = await current(store, decider, stream, known);
    isProven = true;
  }
  throw refuse('unavailable', 'stream_busy', `The stream ${stream} changed during each of ${attempts} attempts.`);
}

/** The decided events, or the refusal or other error that ends the execution. */
function decided<Command, Event, State>(
  decider: Decider<Command, Event, State>,
  command: Command,
  { state, version }: Known<State>,
  accepts: ((version: number) => void) | undefined,
): { readonly events: readonly Event[]; readonly refused?: unknown } {
  try {
    const decision = decider.decide(command, state);
    // A caller who may not see the stream must not learn from another refusal that the stream exists, or its version.
    const isHidden = decision instanceof Refusal && decision.kind === 'missing';
    if (!isHidden) accepts?.(version);
    return decision instanceof Refusal ? { events: [], refused: decision } : { events: decision };
  } catch (error) {
    return { events: [], refused: error };
  }
}
