import { type Abstract, Inject, type Type } from '@nestjs/common';

/** The class of a command or a query, with the provider that handles it. */
export interface WithHandler {
  readonly handler: Type;
}

export type Parts = readonly (Type<unknown> | Abstract<unknown>)[];

export type InstancesOf<Needed extends Parts> = {
  readonly [Nth in keyof Needed]: Needed[Nth] extends { readonly prototype: infer Instance } ? Instance : never;
};

type Work = (injected: never, ...args: never) => Promise<unknown>;

/** Makes a class of messages, and the class of their handler, into whose constructor an instance of each part is injected. */
export function messageWith(
  base: Type,
  handlerDecorator: (message: Type) => ClassDecorator,
  name: string,
  parts: Parts,
  work: Work,
): never {
  class Message extends base {
    readonly args: readonly unknown[];

    constructor(...args: unknown[]) {
      super();
      this.args = args;
    }
  }
  Object.defineProperty(Message, 'name', { value: name });

  @handlerDecorator(Message)
  class Handler {
    private readonly injected: readonly unknown[];

    constructor(...injected: unknown[]) {
      this.injected = injected;
    }

    execute({ args }: Message) {
      return work(this.injected as never, ...(args as never));
    }
  }
  for (const [index, part] of parts.entries()) Inject(part)(Handler, undefined, index);
  return Object.assign(Message, { handler: Handler }) as never;
}
