import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Answers, Audited, Caller, Config, FreshId, MakesUser, Open, Refuses, SignedIn, Summary } from '@parlance/service-kit';
import { IsString, Length } from 'class-validator';
import { isOfDomain } from '../commands/normal-address.ts';
import { Registration } from '../commands/registration.ts';
import { Sessions, type SignedInAnswer } from '../commands/sessions.ts';
import { SignIn } from '../commands/sign-in.ts';
import { isForVerified } from '../domain/user.ts';
import { People, type Person } from '../projections/people.ts';
import { signedInAnswer, userAnswer } from './answers.ts';
import { IsAddress, IsGivenAddress, IsName, IsNewPassword, IsPassword } from './bodies.ts';

class SignUpBody {
  @IsAddress() email!: string;
  @IsNewPassword() password!: string;
  @IsName() first_name!: string;
  @IsName() last_name!: string;
}

class SignInBody {
  @IsGivenAddress() email!: string;
  @IsPassword() password!: string;
}

class RefreshBody {
  @IsString() @Length(1, 1000) refresh_token!: string;
}

@Controller('auth')
export class AuthController {
  constructor(
    private readonly registration: Registration,
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly people: People,
    private readonly config: Config,
  ) {}

  @Post('sign-up')
  @Open()
  @MakesUser()
  @Audited('register_user', 'user')
  @Summary('Makes an account for oneself, where the deployment allows it.')
  @Answers(201, userAnswer)
  @Refuses('sign_up_disabled', 403)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('email_taken', 409)
  @Refuses('user_erased', 409)
  async signUp(@FreshId() userId: string, @Body() body: SignUpBody): Promise<Person> {
    const { selfSignUpEnabled, allowedSignUpEmailDomains, autoJoinUserGroups } = this.config;
    if (!selfSignUpEnabled) throw refuse('forbidden', 'sign_up_disabled', 'Nobody can sign up here: ask an administrator for an account.');
    if (!isOfDomain(body.email, allowedSignUpEmailDomains))
      throw refuse('forbidden', 'email_domain_not_allowed', 'Nobody can sign up with an address of this domain.');
    const { email, password, first_name: firstName, last_name: lastName } = body;
    await this.registration.register(userId, {
      email,
      firstName,
      lastName,
      password,
      // Nobody has verified the address yet: an administrator adds the user to the others.
      groups: autoJoinUserGroups.filter((group) => !isForVerified(group)),
      mustChangePassword: false,
      origin: 'sign_up',
    });
    return this.people.byId(userId);
  }

  @Post('sign-in')
  @Open()
  @HttpCode(200)
  @Audited('sign_in', 'user')
  @Summary('Begins a session by e-mail address and password.')
  @Answers(200, signedInAnswer)
  @Refuses('wrong_credentials', 401)
  @Refuses('user_disabled', 403)
  @Refuses('too_many_attempts', 429)
  @Refuses('busy', 503)
  signIn(@Body() { email, password }: SignInBody): Promise<SignedInAnswer> {
    return this.signIns.withPassword(email, password);
  }

  @Post('refresh')
  @Open()
  @HttpCode(200)
  @Summary(
    'Hands out the next tokens of a session. For 10 seconds a used refresh token gives the same next one; later it ends the session.',
  )
  @Answers(200, signedInAnswer)
  @Refuses('invalid_refresh_token', 401)
  refresh(@Body() { refresh_token }: RefreshBody): Promise<SignedInAnswer> {
    return this.sessions.refresh(refresh_token);
  }

  @Post('sign-out')
  @SignedIn()
  @HttpCode(204)
  @Summary('Ends the session: no edge takes its tokens after the answer.')
  @Answers(204)
  async signOut(@Caller() caller: Caller): Promise<void> {
    if (caller.sessionId !== null) await this.sessions.end(caller.sessionId, 'signed_out');
  }
}
