import type { Provider } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '@parlance/read-models';

/** A query on read models, for the `QueryBus`. */
export interface Question<Args extends readonly unknown[], Result> extends Query<Result> {
  readonly args: Args;
}

/** The class of a query, with its handler. */
export interface Ask<Args extends readonly unknown[], Result> {
  new (...args: Args): Question<Args, Result>;
  readonly handler: Provider;
  /** What the handler does. */
  find(models: ReadModels, ...args: Args): Promise<Result>;
}

/** Makes a query class. `name` is the class's name in logs, metrics and traces. */
export function query<Args extends readonly unknown[], Result>(
  name: string,
  find: (models: ReadModels, ...args: Args) => Promise<Result>,
): Ask<Args, Result> {
  class Asking extends Query<Result> {
    readonly args: Args;

    constructor(...args: Args) {
      super();
      this.args = args;
    }
  }
  Object.defineProperty(Asking, 'name', { value: name });

  @QueryHandler(Asking)
  class Handler implements IQueryHandler<Asking> {
    constructor(private readonly models: ReadModels) {}

    execute({ args }: Asking) {
      return find(this.models, ...args);
    }
  }
  return Object.assign(Asking, { handler: Handler, find });
}
