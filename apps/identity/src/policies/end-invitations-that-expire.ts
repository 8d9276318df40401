import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { InvitationAccepted, InvitationEnded } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { Invitations } from '../workflows/mail/invitations.ts';

/**
 * Ends invitations seven days after they were created. It also destroys the key of each invitation that has ended, in case the process that ended
 * it crashed before doing so.
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
