import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { InvitationAccepted, InvitationEnded } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { Invitations } from '../workflows/mail/invitations.ts';

/**
 * Ends invitations seven days after they were made. It also destroys the key of each invitation that has ended, which the process that ended it may not
 * have done.
 */
@Controller()
export class EndInvitationsThatExpire {
  constructor(private readonly invitations: Invitations) {}

  @EventPattern(InvitationAccepted.type)
  onAccepted(@Payload() { data }: CloudEvent<InvitationAccepted>) {
    return this.invitations.shred(data.invitation_id);
  }

  @EventPattern(InvitationEnded.type)
  onEnded(@Payload() { data }: CloudEvent<InvitationEnded>) {
    return this.invitations.shred(data.invitation_id);
  }
}
