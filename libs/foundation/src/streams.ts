import { Inject, Injectable } from '@nestjs/common';
import { type Decider, Refusal } from '@parlance/decider';
import { type Companion, EventStore, execute, type Executed, type StoredEvent, upToDate } from '@parlance/event-store';
import { type CloudEvent, onceName } from '@parlance/messaging';
import { Projector } from '@parlance/read-models';
import { requireMatch } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import { Clock } from './clock.ts';
import { Origins } from './audit/origins.ts';

export interface ExecuteOptions {
  /** The `If-Match` header: the command is carried out only if the stream still has this version. */
  readonly ifMatch?: string | undefined;
  /** A name of the effect. If the name was used before, nothing is written. */
  readonly once?: string | readonly string[];
  /** See `Execution.isNew`. */
  readonly isNew?: boolean;
  /** True for a note about the request itself. Its answer may still state that nothing happened. */
  readonly isNote?: boolean;
  /** Further writes in the same transaction, such as a new key of the vault. Only some stores support them. */
  readonly companions?: readonly Companion[];
}

/** The outcome of a command, and the log position that includes it. */
export interface Done<Event extends StoredEvent, State> extends Executed<Event, State> {
  readonly position: number;
}

/** Carries out commands on streams. Every append of a service goes through this class. */
@Injectable()
export class Streams {
  constructor(
    private readonly store: EventStore,
    private readonly projector: Projector,
    private readonly clock: Clock,
    @Inject(Origins) private readonly origins: Pick<Origins, 'seal'>,
  ) {}

  /** For commands of a caller. Resolves when the service's own read models include the new events. Rejects with the decider's `Refusal`. */
  async execute<Command, Event extends StoredEvent, State>(
    decider: Decider<Command, Event, State>,
    stream: string,
    command: Command,
    { ifMatch, isNote = false, ...options }: ExecuteOptions = {},
  ): Promise<Done<Event, State>> {
    await this.origins.seal();
    const metadata = RequestContext.metadata(this.clock.now());
    const accepts = (version: number) => requireMatch(ifMatch, version);
    const done = await RequestContext.appending(async () => {
      const executed = await execute(this.store, decider, { stream, command, metadata, accepts, ...options });
      if (executed.written && !isNote) RequestContext.noteRecorded(stream);
      return executed;
    });
    // Wait even if nothing was written, because the first execution of a repeated command may be recent.
    const position = done.position || (await this.store.positionOf(stream, done.version));
    const { behind } = await this.projector.includes(position);
    RequestContext.noteBehind(behind);
    return { ...done, position };
  }

  /** The state of a stream, read from the log. */
  async load<Event extends StoredEvent, State>(decider: Decider<never, Event, State>, stream: string): Promise<State> {
    return (await this.look(decider, stream)).state;
  }

  /** The state of a stream with its version. */
  async look<Event extends StoredEvent, State>(
    decider: Decider<never, Event, State>,
    stream: string,
  ): Promise<{ state: State; version: number }> {
    const { state, version } = await upToDate(this.store, decider, stream);
    return { state, version };
  }

  /**
   * For policies. Applies the effect of events on a stream at most once, however often the events are delivered. If the effect of one of them
   * was applied before, nothing is written, and `earlier` is its name (`onceName`). A refusal is returned to the policy, except a transient
   * refusal: that is thrown, so that the delivery is retried.
   */
  async react<Command, Event extends StoredEvent, State>(
    policy: string,
    because: readonly CloudEvent[],
    decider: Decider<Command, Event, State>,
    stream: string,
    command: Command,
  ): Promise<Executed<Event, State> | Refusal> {
    const [first, ...others] = because;
    const cause = first && others.length === 0 ? RequestContext.following(first) : RequestContext.background();
    const metadata = RequestContext.run(cause, () => RequestContext.metadata(this.clock.now()));
    try {
      return await execute(this.store, decider, { stream, command, metadata, once: because.map((event) => onceName(policy, event)) });
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') return error;
      throw error;
    }
  }
}
