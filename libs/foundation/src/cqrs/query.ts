import { type Abstract, Inject, type Provider, type Type } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '@parlance/read-models';

/** A query for the `QueryBus`. */
export interface Question<Args extends readonly unknown[], Result> extends Query<Result> {
  readonly args: Args;
}

/** The class of a query, with its handler. */
export interface Ask<Args extends readonly unknown[], Result> {
  new (...args: Args): Question<Args, Result>;
  readonly handler: Provider;
}

/** A query that reads rows only. */
export interface AskRows<Args extends readonly unknown[], Result> extends Ask<Args, Result> {
  /** What the handler does. */
  find(models: ReadModels, ...args: Args): Promise<Result>;
}

type Token = Type<unknown> | Abstract<unknown>;
type InstancesOf<Tokens extends readonly Token[]> = {
  readonly [Nth in keyof Tokens]: Tokens[Nth] extends { readonly prototype: infer Instance } ? Instance : never;
};

/** Makes a query class that reads rows only. `name` is the class's name in logs, metrics and traces. */
export function query<Args extends readonly unknown[], Result>(
  name: string,
  find: (models: ReadModels, ...args: Args) => Promise<Result>,
): AskRows<Args, Result> {
  const queryClass = queryWith(name, [ReadModels], ([models], ...args: Args) => find(models, ...args));
  return Object.assign(queryClass, { find });
}

/** As `query`, for a query that needs more than rows: its handler gets an instance of each of these classes injected. */
export function queryWith<const Tokens extends readonly Token[], Args extends readonly unknown[], Result>(
  name: string,
  needed: Tokens,
  find: (injected: InstancesOf<Tokens>, ...args: Args) => Promise<Result>,
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
    private readonly injected: InstancesOf<Tokens>;

    constructor(...injected: unknown[]) {
      this.injected = injected as unknown as InstancesOf<Tokens>;
    }

    execute({ args }: Asking) {
      return find(this.injected, ...args);
    }
  }
  for (const [nth, token] of needed.entries()) Inject(token)(Handler, undefined, nth);
  return Object.assign(Asking, { handler: Handler });
}
