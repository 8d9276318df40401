import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Executed } from '@parlance/event-store';
import { Streams } from '@parlance/service-kit';
import { user, type User, type UserCommand, type UserEvent, userStream } from '../domain/user.ts';

export class ExecuteUser extends Command<Executed<UserEvent, User>> {
  constructor(
    readonly userId: string,
    readonly command: UserCommand,
  ) {
    super();
  }
}

@CommandHandler(ExecuteUser)
export class UserCommands implements ICommandHandler<ExecuteUser> {
  constructor(private readonly streams: Streams) {}

  execute({ userId, command }: ExecuteUser) {
    return this.streams.execute(user, userStream(userId), command);
  }
}
