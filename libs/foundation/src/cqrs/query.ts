import { Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '@parlance/read-models';
import { type InstancesOf, messageWith, type Parts, type WithHandler } from './handler.ts';

/** The class of a query, for the `QueryBus`, with its handler. */
export interface QueryClass<Args extends readonly unknown[], Result> extends WithHandler {
  new (...args: Args): Query<Result> & { readonly args: Args };
}

/** A query that reads only rows of read models. */
export interface RowQueryClass<Args extends readonly unknown[], Result> extends QueryClass<Args, Result> {
  /** What the handler does. */
  find(models: ReadModels, ...args: Args): Promise<Result>;
}

/** Makes a query class that reads only rows of read models. `name` is the class's name in logs, metrics and traces. */
export const query = <Args extends readonly unknown[], Result>(
  name: string,
  find: (models: ReadModels, ...args: Args) => Promise<Result>,
): RowQueryClass<Args, Result> => {
  const queryClass = queryWith(name, [ReadModels], ([models], ...args: Args) => find(models, ...args));
  return Object.assign(queryClass, { find });
};

/** Like `query`, for a query that needs more than rows: an instance of each class of `needed` is injected into its handler. */
export const queryWith = <const Needed extends Parts, Args extends readonly unknown[], Result>(
  name: string,
  needed: Needed,
  find: (injected: InstancesOf<Needed>, ...args: Args) => Promise<Result>,
): QueryClass<Args, Result> => messageWith(Query, QueryHandler, name, needed, find);
