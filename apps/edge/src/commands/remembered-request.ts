import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Executed } from '@parlance/event-store';
import { Streams } from '@parlance/foundation';
import {
  rememberedRequest,
  type RememberedRequest,
  type RememberedRequestCommand,
  type RememberedRequestEvent,
  rememberedRequestStream,
} from '../domain/remembered-request.ts';

export class ExecuteRememberedRequest extends Command<Executed<RememberedRequestEvent, RememberedRequest>> {
  constructor(
    /** Of caller, path and key. */
    readonly hash: string,
    readonly command: RememberedRequestCommand,
  ) {
    super();
  }
}

@CommandHandler(ExecuteRememberedRequest)
export class RememberedRequestCommands implements ICommandHandler<ExecuteRememberedRequest> {
  constructor(private readonly streams: Streams) {}

  execute({ hash, command }: ExecuteRememberedRequest) {
    return this.streams.execute(rememberedRequest, rememberedRequestStream(hash), command);
  }
}
