import { Body, Controller, Post } from '@nestjs/common';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, FreshId, MakesUser, Open } from '@parlance/http';
import { IsString } from 'class-validator';
import { People } from '../../projections/people.ts';
import { Person } from '../../projections/users.ts';
import { Invitations } from '../../workflows/mail/invitations.ts';
import { IsName, IsNewPassword } from '../bodies.ts';

class AcceptInvitationBody {
  /** Any text. All invalid tokens get the same answer. */
  @IsString() token!: string;
  @IsNewPassword() password!: string;
  @IsName() first_name!: string;
  @IsName() last_name!: string;
}

@Controller('auth/invitations')
export class InvitationController {
  constructor(
    private readonly invitations: Invitations,
    private readonly people: People,
  ) {}

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
