import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Audited, Caller, FreshId, Open, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsString } from 'class-validator';
import { People } from '../../projections/people.ts';
import { EmailVerifications } from '../../workflows/mail/email-verifications.ts';
import { IsGivenAddress } from '../bodies.ts';

class RequestVerificationBody {
  @IsGivenAddress() email!: string;
}

class VerifyBody {
  /** Any text. All invalid tokens get the same answer. */
  @IsString() token!: string;
}

@Controller()
export class EmailVerificationController {
  constructor(
    private readonly verifications: EmailVerifications,
    private readonly people: People,
  ) {}

  @Post('user/me/email-verification')
  @SignedIn()
  @HttpCode(202)
  @Summary(
    "Request a mail with a link that verifies the caller's address. The link works once, within a day. At most one mail is sent in five minutes.",
  )
  @Answers(202)
  @Refuses('mail_disabled', 403)
  @Refuses('user_not_found', 404)
  async requestOwn(@FreshId() mailId: string, @Caller() { userId }: Caller): Promise<void> {
    await this.verifications.request(mailId, (await this.people.byId(userId)).email);
  }

  @Post('auth/email-verification/request')
  @Open()
  @HttpCode(202)
  @Summary(
    'Request a mail with a link that verifies an address. The link works once, within a day. The answer is the same whether or not a user has the address. An address gets one mail in five minutes.',
  )
  @Answers(202)
  @Refuses('mail_disabled', 403)
  async request(@FreshId() mailId: string, @Body() { email }: RequestVerificationBody): Promise<void> {
    await this.verifications.request(mailId, email);
  }

  @Post('auth/email-verification')
  @Open()
  @HttpCode(204)
  @Audited('confirm_email', 'user')
  @Summary('Verify an e-mail address with the token in a mail. The token becomes invalid when the address changes or another mail is sent.')
  @Answers(204)
  @Refuses('invalid_verification_token', 400)
  async verify(@Body() { token }: VerifyBody): Promise<void> {
    await this.verifications.verify(token);
  }
}
