import { Body, Controller, Get, Headers, HttpCode, Post, Req, Res } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, AuditedIfUnknown, Caller, FreshId, MakesUser, MayBeLeftOut, Open, SESSION_HEADER, SignedIn } from '@parlance/http';
import { Config } from '@parlance/config';
import { IsOptional, IsString, Length } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOfDomain } from '../commands/normal-address.ts';
import { Registration } from '../commands/registration.ts';
import { invalidRefreshToken, Sessions } from '../commands/sessions.ts';
import { SignIn } from '../commands/sign-in.ts';
import { graceMillis } from '../domain/session.ts';
import { isForVerified } from '../domain/user.ts';
import { People, type Person } from '../projections/people.ts';
import { authOptionsAnswer, signedInAnswer, userAnswer } from './answers.ts';
import { IsAddress, IsGivenAddress, IsName, IsNewPassword, IsPassword } from './bodies.ts';
import { type HandedOver, SessionCookie } from './session-cookie.ts';

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

@MayBeLeftOut()
class RefreshBody {
  /** Not with a cookie. */
  @IsOptional() @IsString() @Length(1, 1000) refresh_token?: string;
}

@Controller('auth')
export class AuthController {
  constructor(
    private readonly registration: Registration,
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly people: People,
    private readonly cookies: SessionCookie,
    private readonly config: Config,
  ) {}

  @Get('options')
  @Open()
  @Summary('Get the available sign-up and sign-in methods.')
  @Answers(200, authOptionsAnswer)
  options() {
    const { selfSignUpEnabled, allowedSignUpEmailDomains, oidcProviders, publicBaseUrl } = this.config;
    return {
      sign_up_enabled: selfSignUpEnabled,
      allowed_sign_up_email_domains: allowedSignUpEmailDomains,
      providers: Object.entries(oidcProviders).map(([id, { name }]) => ({
        id,
        name: name ?? id,
        start_url: `${publicBaseUrl}/auth/oidc/${id}/start`,
      })),
    };
  }

  @Post('sign-up')
  @Open()
  @MakesUser()
  @Audited('register_user', 'user')
  @Summary('Sign up, if the deployment allows it.')
  @Answers(201, userAnswer)
  @Refuses('sign_up_disabled', 403)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('email_taken', 409)
  @Refuses('user_erased', 409)
  async signUp(@FreshId() userId: string, @Body() body: SignUpBody): Promise<Person> {
    const { selfSignUpEnabled, allowedSignUpEmailDomains, autoJoinUserGroups } = this.config;
    if (!selfSignUpEnabled) throw refuse('forbidden', 'sign_up_disabled', 'Sign-up is disabled here. Ask an administrator for an account.');
    if (!isOfDomain(body.email, allowedSignUpEmailDomains))
      throw refuse('forbidden', 'email_domain_not_allowed', 'Sign-up is not allowed with an e-mail address of this domain.');
    const { email, password, first_name: firstName, last_name: lastName } = body;
    await this.registration.register(userId, {
      email,
      firstName,
      lastName,
      password,
      // The address is not verified yet: an administrator adds the user to the others.
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
  @Summary('Sign in with an e-mail address and a password.')
  @Answers(200, signedInAnswer)
  @Refuses('invalid_session_header', 400)
  @Refuses('wrong_credentials', 401)
  @Refuses('user_disabled', 403)
  @Refuses('too_many_attempts', 429)
  @Refuses('busy', 503)
  async signIn(
    @Body() { email, password }: SignInBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<HandedOver> {
    const inCookie = this.cookies.isWanted(header);
    return this.cookies.handOver(reply, inCookie, await this.signIns.withPassword(email, password));
  }

  @Post('refresh')
  @Open()
  @HttpCode(200)
  @AuditedIfUnknown('refresh_session', 'session')
  @Summary(
    `Refresh the tokens of a session. Reusing a refresh token after ${graceMillis / 1000} seconds, or from another client, ends the session.`,
  )
  @Answers(200, signedInAnswer)
  @Refuses('invalid_session_header', 400)
  @Refuses('invalid_refresh_token', 401)
  async refresh(
    @Body() { refresh_token }: RefreshBody,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<HandedOver> {
    const inCookie = this.cookies.isWanted(header);
    if (inCookie === (refresh_token !== undefined)) throw misplacedToken(inCookie);
    // Without the header a cookie counts for nothing: a browser sends it along with what other sites make it ask.
    const token = inCookie ? this.cookies.read(headers.cookie) : refresh_token;
    if (!token) throw invalidRefreshToken();
    return this.cookies.handOver(reply, inCookie, await this.sessions.refresh(token));
  }

  @Post('sign-out')
  @SignedIn()
  @HttpCode(204)
  @Summary("Sign out. The session's tokens are invalid once the answer is sent.")
  @Answers(204)
  @Refuses('invalid_session_header', 400)
  async signOut(
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<void> {
    if (this.cookies.isWanted(header)) reply.header('set-cookie', this.cookies.end);
    if (caller.sessionId !== null) await this.sessions.end(caller.sessionId, 'signed_out');
  }
}

function misplacedToken(inCookie: boolean) {
  const message = inCookie ? 'must be absent where the refresh token is in a cookie' : 'must be a string';
  return refuse('invalid', 'invalid_body', `The field refresh_token ${message}.`, { errors: [{ path: 'refresh_token', message }] });
}
