import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import { session, type Session, type SessionCommand, type SessionEvent, sessionStream } from '../domain/session.ts';

export class ExecuteSession extends Command<Done<SessionEvent, Session>> {
  constructor(
    readonly sessionId: string,
    readonly command: SessionCommand,
  ) {
    super();
  }
}

@CommandHandler(ExecuteSession)
export class SessionCommands implements ICommandHandler<ExecuteSession> {
  constructor(private readonly streams: Streams) {}

  execute({ sessionId, command }: ExecuteSession) {
    return this.streams.execute(session, sessionStream(sessionId), command);
  }
}
