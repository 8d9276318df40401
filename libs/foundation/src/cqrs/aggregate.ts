import type { Type } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Decider } from '@parlance/decider';
import type { StoredEvent } from '@parlance/event-store';
import { type Done, type ExecuteOptions, Streams } from '../streams.ts';
import type { WithHandler } from './handler.ts';

/** A command on one stream of an aggregate, for the `CommandBus`. */
export interface AggregateCommand<Commands, Event extends StoredEvent, State> extends Command<Done<Event, State>> {
  /** Empty if the aggregate has only one stream. */
  readonly id: string;
  readonly command: Commands;
  readonly options: ExecuteOptions | undefined;
}

/** The class of an aggregate's commands, with its handler. */
export interface Execute<Commands, Event extends StoredEvent, State, Args extends readonly unknown[]> extends WithHandler {
  new (...args: Args): AggregateCommand<Commands, Event, State>;
  /** What the handler does. */
  carryOut(streams: Pick<Streams, 'execute'>, execution: AggregateCommand<Commands, Event, State>): Promise<Done<Event, State>>;
}

/** Makes the command class of an aggregate. `name` is the class's name in logs, metrics and traces. */
export const aggregate = <Commands, Event extends StoredEvent, State>(
  name: string,
  decider: Decider<Commands, Event, State>,
  streamOf: (id: string) => string,
): Execute<Commands, Event, State, [id: string, command: Commands, options?: ExecuteOptions]> => {
  class Envelope extends Command<Done<Event, State>> {
    constructor(
      readonly id: string,
      readonly command: Commands,
      readonly options?: ExecuteOptions,
    ) {
      super();
    }
  }
  return handled(name, Envelope, decider, streamOf);
};

/** Like `aggregate`, for an aggregate with one stream. */
export const singleAggregate = <Commands, Event extends StoredEvent, State>(
  name: string,
  decider: Decider<Commands, Event, State>,
  stream: string,
): Execute<Commands, Event, State, [command: Commands, options?: ExecuteOptions]> => {
  class Envelope extends Command<Done<Event, State>> {
    readonly id = '';

    constructor(
      readonly command: Commands,
      readonly options?: ExecuteOptions,
    ) {
      super();
    }
  }
  return handled(name, Envelope, decider, () => stream);
};

function handled(name: string, envelope: Type, decider: Decider<unknown, StoredEvent, unknown>, streamOf: (id: string) => string): never {
  Object.defineProperty(envelope, 'name', { value: name });
  const carryOut = (streams: Streams, { id, command, options }: AggregateCommand<unknown, StoredEvent, unknown>) =>
    streams.execute(decider, streamOf(id), command, options);

  @CommandHandler(envelope as never)
  class Handler {
    constructor(private readonly streams: Streams) {}

    execute(execution: AggregateCommand<unknown, StoredEvent, unknown>) {
      return carryOut(this.streams, execution);
    }
  }
  return Object.assign(envelope, { handler: Handler, carryOut }) as never;
}
