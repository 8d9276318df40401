import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import { scimToken, type ScimToken, type ScimTokenCommand, type ScimTokenEvent, scimTokenStream } from '../domain/scim-token.ts';

export class ExecuteScimToken extends Command<Done<ScimTokenEvent, ScimToken>> {
  constructor(
    readonly tokenId: string,
    readonly command: ScimTokenCommand,
  ) {
    super();
  }
}

@CommandHandler(ExecuteScimToken)
export class ScimTokenCommands implements ICommandHandler<ExecuteScimToken> {
  constructor(private readonly streams: Streams) {}

  execute({ tokenId, command }: ExecuteScimToken) {
    return this.streams.execute(scimToken, scimTokenStream(tokenId), command);
  }
}
