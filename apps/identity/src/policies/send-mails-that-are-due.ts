import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { MailServer } from '../adapters/mail/mail-server.ts';
import { EmailVerifications } from '../workflows/mail/email-verifications.ts';
import { PasswordResets } from '../workflows/mail/password-resets.ts';
import { Mails } from '../workflows/mail/mails.ts';

const SECOND_MILLIS = 1_000;

/** Settles requests for password resets and for mails that verify addresses, and sends mails that are due. Without a mail server it does nothing. */
@Injectable()
export class SendMailsThatAreDue implements OnApplicationBootstrap {
  constructor(
    private readonly resets: PasswordResets,
    private readonly verifications: EmailVerifications,
    private readonly mails: Mails,
    private readonly server: MailServer,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.server.isOn) return;
    this.timers.every(SECOND_MILLIS, 'settle requests for password resets', () => this.resets.settleRequests());
    this.timers.every(SECOND_MILLIS, 'settle requests for mails that verify addresses', () => this.verifications.settleRequests());
    this.timers.every(SECOND_MILLIS, 'send mails', () => this.mails.sendDue());
  }
}
