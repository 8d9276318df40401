import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import {
  signingKeys,
  type SigningKeys,
  type SigningKeysCommand,
  type SigningKeysEvent,
  signingKeysStream,
} from '../domain/signing-keys.ts';

export class ExecuteSigningKeys extends Command<Done<SigningKeysEvent, SigningKeys>> {
  constructor(readonly command: SigningKeysCommand) {
    super();
  }
}

@CommandHandler(ExecuteSigningKeys)
export class SigningKeysCommands implements ICommandHandler<ExecuteSigningKeys> {
  constructor(private readonly streams: Streams) {}

  execute({ command }: ExecuteSigningKeys) {
    return this.streams.execute(signingKeys, signingKeysStream, command);
  }
}
