import { Command, CommandHandler } from '@nestjs/cqrs';
import { type InstancesOf, messageWith, type Parts, type WithHandler } from './handler.ts';

/** The class of a command, for the `CommandBus`, with its handler. */
export interface CommandClass<Args extends readonly unknown[], Result> extends WithHandler {
  new (...args: Args): Command<Result> & { readonly args: Args };
}

/** Makes the class of a command that takes more than one decision of an aggregate. An instance of each class of `needed` is injected into its handler. */
export const commandWith = <const Needed extends Parts, Args extends readonly unknown[], Result>(
  name: string,
  needed: Needed,
  carryOut: (injected: InstancesOf<Needed>, ...args: Args) => Promise<Result>,
): CommandClass<Args, Result> => messageWith(Command, CommandHandler as never, name, needed, carryOut);
