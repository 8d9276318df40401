import type { Refusal } from './refusal.ts';

/** What deciding comes to: facts to append (none: nothing changed, a retry), or a refusal that says why not. */
export type Decision<Event> = readonly Event[] | Refusal;

export interface SnapshotPolicy {
  readonly every: number;
  readonly shape: string;
}

/**
 * The rules of one aggregate. Pure and synchronous: the time, ids and randomness arrive in the command.
 * `evolve` neither throws nor validates, since what has happened can't be refused any more.
 */
export interface Decider<Command, Event, State> {
  readonly initialState: State;
  /**
   * For streams that grow long: the folded state is saved at every version that `every` divides, and read back instead of the events
   * before it. Change `shape` when the type of the state changes: a snapshot of another shape is not used.
   */
  readonly snapshots?: SnapshotPolicy;
  decide(command: Command, state: State): Decision<Event>;
  evolve(state: State, event: Event): State;
}

export function fold<Event, State>(
  decider: Pick<Decider<never, Event, State>, 'evolve' | 'initialState'>,
  events: Iterable<Event>,
  from: State = decider.initialState,
): State {
  let state = from;
  for (const event of events) state = decider.evolve(state, event);
  return state;
}
