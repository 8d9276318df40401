import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { InvitationCreated } from '@parlance/contracts';
import { idInStream } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import { Invitations } from '../workflows/mail/invitations.ts';

/** Requests the mail of an invitation, in case the process that created the invitation crashed before doing so. */
@Controller()
export class SendInvitationWhenMade {
  constructor(private readonly invitations: Invitations) {}

  @EventPattern(InvitationCreated.type)
  async on(@Payload() { subject, data }: CloudEvent<InvitationCreated>) {
    await this.invitations.requestMail(data.invitation_id, idInStream(subject));
  }
}
