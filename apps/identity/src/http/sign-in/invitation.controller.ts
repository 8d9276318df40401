import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Person } from '@parlance/contracts';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, FreshId, MakesUser, Open } from '@parlance/http';
import { IsString } from 'class-validator';
import { z } from 'zod';
import { People } from '../../projections/people.ts';
import { Invitations } from '../../workflows/mail/invitations.ts';
import { IsName, IsNewPassword } from '../bodies.ts';

class InvitationTokenBody {
  /** Any text. All invalid tokens get the same answer. */
  @IsString() token!: string;
}

class AcceptInvitationBody extends InvitationTokenBody {
  @IsNewPassword() password!: string;
  @IsName() first_name!: string;
  @IsName() last_name!: string;
}

const InvitedPerson = z.object({
  email: z.string(),
  first_name: z.string().nullable().describe('As the administrator wrote it. Null if it was left out.'),
  last_name: z.string().nullable(),
  expires_at: z.int().describe('In epoch seconds.'),
});
type InvitedPerson = z.infer<typeof InvitedPerson>;

@Controller('auth/invitations')
export class InvitationController {
  constructor(
    private readonly invitations: Invitations,
    private readonly people: People,
  ) {}

  @Post('read')
  @Open()
  @HttpCode(200)
  @Summary('Get the address and the names of an invitation with the token in its mail. The invitation stays open.')
  @Answers(200, InvitedPerson)
  @Refuses('invalid_invitation', 400)
  read(@Body() { token }: InvitationTokenBody): Promise<InvitedPerson> {
    return this.invitations.read(token);
  }

  @Post('accept')
  @Open()
  @MakesUser()
  @Audited('accept_invitation', 'invitation')
  @Summary('Accept an invitation with the token in its mail: create an account with the invited address, which counts as verified.')
  @Answers(201, Person)
  @Refuses('invalid_invitation', 400)
  @Refuses('email_taken', 409)
  @Refuses('user_erased', 409)
  async accept(
    @FreshId() userId: string,
    @Body() { token, password, first_name: firstName, last_name: lastName }: AcceptInvitationBody,
  ): Promise<Person> {
    await this.invitations.accept(userId, { token, password, firstName, lastName });
    return this.people.byId(userId);
  }
}
