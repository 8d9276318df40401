import { Controller, type OnApplicationBootstrap } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { InvitationAccepted, InvitationEnded } from '@parlance/contracts';
import { Timers } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { Invitations } from '../workflows/mail/invitations.ts';

const MINUTE_MILLIS = 60_000;

/**
 * Ends invitations seven days after they were made. It also destroys the key of each invitation that has ended, which the process that ended it may not
 * have done.
 */
@Controller()
export class EndInvitationsThatExpire implements OnApplicationBootstrap {
  constructor(
    private readonly invitations: Invitations,
    private readonly timers: Timers,
  ) {}

  @EventPattern(InvitationAccepted.type)
  onAccepted(@Payload() { data }: CloudEvent<InvitationAccepted>) {
    return this.invitations.shred(data.invitation_id);
  }

  @EventPattern(InvitationEnded.type)
  onEnded(@Payload() { data }: CloudEvent<InvitationEnded>) {
    return this.invitations.shred(data.invitation_id);
  }

  onApplicationBootstrap(): void {
    this.timers.every(MINUTE_MILLIS, 'end expired invitations', () => this.invitations.endExpired());
  }
}
