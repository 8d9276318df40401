import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import { user, type User, type UserCommand, type UserEvent, userStream } from '../domain/user.ts';

/** For changes after which an Admin might be none: `Administration`. */
export class ExecuteUser extends Command<Done<UserEvent, User>> {
  constructor(
    readonly userId: string,
    readonly command: UserCommand,
    readonly ifMatch?: string,
  ) {
    super();
  }
}

@CommandHandler(ExecuteUser)
export class UserCommands implements ICommandHandler<ExecuteUser> {
  constructor(private readonly streams: Streams) {}

  execute({ userId, command, ifMatch }: ExecuteUser) {
    return this.streams.execute(user, userStream(userId), command, { ifMatch });
  }
}
