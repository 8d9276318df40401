import { type Decider, fold, Refusal } from '@parlance/decider';
import { type EventStore, execute, type Executed, type StoredEvent } from '@parlance/event-store';
import { type CloudEvent, onceName } from '@parlance/messaging';
import type { Projector } from '@parlance/read-models';
import { RequestContext } from '../observing/request-context.ts';
import type { Clock } from './clock.ts';

export interface ExecuteOptions {
  readonly snapshots?: { readonly every: number; readonly shape: string };
}

/** Where commands meet their streams: every append of a service goes through here. */
export class Streams {
  constructor(
    private readonly store: EventStore,
    private readonly projector: Projector,
    private readonly clock: Clock,
  ) {}

  /** For commands of a caller: answers when the service's own read models include what happened. Throws the `Refusal`. */
  async execute<Command, Event extends StoredEvent, State>(
    decider: Decider<Command, Event, State>,
    stream: string,
    command: Command,
    options: ExecuteOptions = {},
  ): Promise<Executed<Event, State>> {
    const done = await execute(this.store, decider, { stream, command, metadata: RequestContext.metadata(this.clock.now()), ...options });
    // Also when nothing was written: what a repeat finds done may have been done a moment ago.
    await this.projector.includes(await this.store.positionOf(stream, done.version));
    return done;
  }

  /** What a stream has come to, straight from the log. */
  async load<Event extends StoredEvent, State>(decider: Decider<never, Event, State>, stream: string): Promise<State> {
    return fold(decider, await this.history<Event>(stream));
  }

  /** All that happened to a stream, oldest first. */
  async history<Event extends StoredEvent>(stream: string): Promise<readonly Event[]> {
    const commits = await this.store.read(stream);
    return commits.flatMap((commit) => commit.events.map((recorded) => recorded.event as Event));
  }

  /**
   * For policies: the effect of an event on a stream, at most once however often the event is delivered. A refusal is
   * an outcome that the policy deals with; only what may pass by itself is thrown, so that the delivery is tried again.
   */
  async react<Command, Event extends StoredEvent, State>(
    policy: string,
    because: CloudEvent,
    decider: Decider<Command, Event, State>,
    stream: string,
    command: Command,
    options: ExecuteOptions = {},
  ): Promise<Executed<Event, State> | Refusal> {
    const metadata = { ...RequestContext.metadata(this.clock.now()), causationId: because.id };
    try {
      return await execute(this.store, decider, { stream, command, metadata, once: onceName(policy, because), ...options });
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') return error;
      throw error;
    }
  }
}
