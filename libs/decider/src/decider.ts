import type { Refusal } from './refusal.ts';

/** The result of `decide`: events to append (none if nothing changes, as for a repeated command), or a refusal with the reason. */
export type Decision<Event> = readonly Event[] | Refusal;

/** Saves the folded state of a stream, so that reading a long stream stays cheap. */
export interface Snapshots {
  /** A snapshot is saved when the stream has this many commits more than the last snapshot covers. */
  readonly every: number;
  /** Identifies the type of the state. Change it whenever that type changes, because snapshots with another shape are not used. */
  readonly shape: string;
}

/**
 * The rules of one aggregate. Pure and synchronous: the time, IDs and randomness arrive in the command. `evolve` neither throws nor validates,
 * because an event that has happened can no longer be refused.
 */
export interface Decider<Command, Event, State> {
  readonly initialState: State;
  /** For long streams. Every command and every read of the stream uses the snapshots. */
  readonly snapshots?: Snapshots;
  decide(command: Command, state: State): Decision<Event>;
  evolve(state: State, event: Event): State;
}

/** Thrown if a decider does not know the type of a stored event, because a newer release has written the event. */
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
    // An unknown event has no case in `evolve`, which then returns undefined. Without this check, the next event would be applied to undefined.
    if (state === undefined) throw new UnknownEvent(String((event as { type?: unknown }).type));
  }
  return state;
}
