import type { Refusal } from './refusal.ts';

/** What deciding comes to: facts to append (none: nothing changed, a retry), or a refusal that says why not. */
export type Decision<Event> = readonly Event[] | Refusal;

/** Saves the folded state of a stream, so that reading it stays cheap however long it grows. */
export interface Snapshots {
  /** A snapshot is saved when the stream has this many commits more than the last one covers. */
  readonly every: number;
  /** Names the type of the state. Change it whenever that type changes: snapshots of other shapes are not used. */
  readonly shape: string;
}

/**
 * The rules of one aggregate. Pure and synchronous: the time, ids and randomness arrive in the command.
 * `evolve` neither throws nor validates, because an event that has happened can no longer be refused.
 */
export interface Decider<Command, Event, State> {
  readonly initialState: State;
  /** For streams that grow long. Every command and every look at the stream uses them. */
  readonly snapshots?: Snapshots;
  decide(command: Command, state: State): Decision<Event>;
  evolve(state: State, event: Event): State;
}

/** Thrown when a decider doesn't know the type of a stored event: a newer release has written it. Nothing is guessed. */
export class UnknownEvent extends Error {
  constructor(readonly type: string) {
    super(`An event of type ${type} was written by a newer release, which has to handle this stream.`);
    this.name = 'UnknownEvent';
  }
}

/** The state after these events. Throws `UnknownEvent`. */
export function fold<Event, State>(
  decider: Pick<Decider<never, Event, State>, 'evolve' | 'initialState'>,
  events: Iterable<Event>,
  from: State = decider.initialState,
): State {
  let state = from;
  for (const event of events) {
    state = decider.evolve(state, event);
    // Types promise a state for each known event. Without this check, a later event would meet a state that is none.
    if (state === undefined) throw new UnknownEvent(String((event as { type?: unknown }).type));
  }
  return state;
}
