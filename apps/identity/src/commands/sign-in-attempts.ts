import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import {
  type SignInAttempts,
  signInAttempts,
  type SignInAttemptsCommand,
  type SignInAttemptsEvent,
  signInAttemptsStream,
} from '../domain/sign-in-attempts.ts';

export class ExecuteSignInAttempts extends Command<Done<SignInAttemptsEvent, SignInAttempts>> {
  constructor(
    readonly emailHash: string,
    readonly command: SignInAttemptsCommand,
  ) {
    super();
  }
}

@CommandHandler(ExecuteSignInAttempts)
export class SignInAttemptsCommands implements ICommandHandler<ExecuteSignInAttempts> {
  constructor(private readonly streams: Streams) {}

  execute({ emailHash, command }: ExecuteSignInAttempts) {
    return this.streams.execute(signInAttempts, signInAttemptsStream(emailHash), command);
  }
}
