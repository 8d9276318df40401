import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import { firstAdmin, type FirstAdmin, type FirstAdminCommand, type FirstAdminEvent, firstAdminStream } from '../domain/first-admin.ts';

export class ExecuteFirstAdmin extends Command<Done<FirstAdminEvent, FirstAdmin>> {
  constructor(readonly command: FirstAdminCommand) {
    super();
  }
}

@CommandHandler(ExecuteFirstAdmin)
export class FirstAdminCommands implements ICommandHandler<ExecuteFirstAdmin> {
  constructor(private readonly streams: Streams) {}

  execute({ command }: ExecuteFirstAdmin) {
    return this.streams.execute(firstAdmin, firstAdminStream, command);
  }
}
