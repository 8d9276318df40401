import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import {
  externalIdentity,
  type ExternalIdentity,
  type ExternalIdentityCommand,
  type ExternalIdentityEvent,
  externalIdentityStream,
} from '../domain/external-identity.ts';

export class ExecuteExternalIdentity extends Command<Done<ExternalIdentityEvent, ExternalIdentity>> {
  constructor(
    readonly identityHash: string,
    readonly command: ExternalIdentityCommand,
  ) {
    super();
  }
}

@CommandHandler(ExecuteExternalIdentity)
export class ExternalIdentityCommands implements ICommandHandler<ExecuteExternalIdentity> {
  constructor(private readonly streams: Streams) {}

  execute({ identityHash, command }: ExecuteExternalIdentity) {
    return this.streams.execute(externalIdentity, externalIdentityStream(identityHash), command);
  }
}
