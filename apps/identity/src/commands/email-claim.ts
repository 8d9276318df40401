import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Done, Streams } from '@parlance/foundation';
import { emailClaim, type EmailClaim, type EmailClaimCommand, type EmailClaimEvent, emailStream } from '../domain/email-claim.ts';

export class ExecuteEmailClaim extends Command<Done<EmailClaimEvent, EmailClaim>> {
  constructor(
    readonly emailHash: string,
    readonly command: EmailClaimCommand,
  ) {
    super();
  }
}

@CommandHandler(ExecuteEmailClaim)
export class EmailClaimCommands implements ICommandHandler<ExecuteEmailClaim> {
  constructor(private readonly streams: Streams) {}

  execute({ emailHash, command }: ExecuteEmailClaim) {
    return this.streams.execute(emailClaim, emailStream(emailHash), command);
  }
}
