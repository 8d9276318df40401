import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import {
  administrators,
  type Administrators,
  type AdministratorsCommand,
  type AdministratorsEvent,
  administratorsStream,
} from '../domain/administrators.ts';

export class ExecuteAdministrators extends Command<Done<AdministratorsEvent, Administrators>> {
  constructor(readonly command: AdministratorsCommand) {
    super();
  }
}

@CommandHandler(ExecuteAdministrators)
export class AdministratorsCommands implements ICommandHandler<ExecuteAdministrators> {
  constructor(private readonly streams: Streams) {}

  execute({ command }: ExecuteAdministrators) {
    return this.streams.execute(administrators, administratorsStream, command);
  }
}
