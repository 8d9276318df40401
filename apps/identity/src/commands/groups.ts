import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import { groups, type Groups, type GroupsCommand, type GroupsEvent, groupsStream } from '../domain/groups.ts';

export class ExecuteGroups extends Command<Done<GroupsEvent, Groups>> {
  constructor(readonly command: GroupsCommand) {
    super();
  }
}

@CommandHandler(ExecuteGroups)
export class GroupsCommands implements ICommandHandler<ExecuteGroups> {
  constructor(private readonly streams: Streams) {}

  execute({ command }: ExecuteGroups) {
    return this.streams.execute(groups, groupsStream, command);
  }
}
