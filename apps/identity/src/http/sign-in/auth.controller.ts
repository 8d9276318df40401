import { Body, Controller, Get, Headers, HttpCode, Post, Req, Res } from '@nestjs/common';
import { Person } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import {
  Audited,
  AuditedIfUnknown,
  Caller,
  derivedId,
  etagOf,
  FreshId,
  MakesUser,
  MayBeLeftOut,
  Open,
  SESSION_HEADER,
  SignedIn,
} from '@parlance/http';
import { Config } from '@parlance/config';
import { IsOptional, IsString, Length } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Passkeys } from '../../adapters/factors/passkeys.ts';
import { isOfDomain } from '../../workflows/normal-address.ts';
import { EmailVerifications } from '../../workflows/mail/email-verifications.ts';
import { SecondFactorRequired } from '../../workflows/factors/second-step.ts';
import { Registration } from '../../workflows/registration.ts';
import { invalidRefreshToken, Sessions, SignedInAnswer } from '../../workflows/sessions.ts';
import { SignIn } from '../../workflows/sign-in.ts';
import { REFRESH_GRACE_MILLIS } from '../../domain/credentials/session.ts';
import { needsVerifiedAddress } from '../../domain/verified-address.ts';
import { People } from '../../projections/people.ts';
import { IsAddress, IsGivenAddress, IsName, IsNewPassword, IsPassword } from '../bodies.ts';
import { SessionCookie } from './session-cookie.ts';

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
  /** Absent if the token is in a cookie. */
  @IsOptional() @IsString() @Length(1, 1000) refresh_token?: string;
}

const SignInOptions = z.object({
  sign_up_enabled: z.boolean(),
  password_reset_by_mail: z.boolean().describe('Whether POST /auth/password-reset/request sends mails.'),
  passkeys: z.boolean().describe('Whether passkeys can be used. They need a host name in publicBaseUrl.'),
  verified_email_required: z.boolean().describe('Whether a sign-in with a password needs a verified address. A sign-up then sends a mail.'),
  allowed_sign_up_email_domains: z.array(z.string()).readonly().describe('E-mail domains that may sign up; empty allows all.'),
  providers: z
    .array(
      z.object({ id: z.string(), name: z.string().describe('The name that users see'), start_url: z.string().meta({ format: 'uri' }) }),
    )
    .describe('OpenID Connect providers.'),
});

/** Tokens, or a challenge for POST /auth/second-factor. */
const SignInAnswer = z.union([SignedInAnswer, SecondFactorRequired]);

nameSchemas({ SignInOptions, SignInAnswer });

@Controller('auth')
export class AuthController {
  constructor(
    private readonly registration: Registration,
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly people: People,
    private readonly cookies: SessionCookie,
    private readonly passkeys: Passkeys,
    private readonly verifications: EmailVerifications,
    private readonly config: Config,
  ) {}

  @Get('options')
  @Open()
  @Summary('Get the ways to sign up and to sign in.')
  @Answers(200, SignInOptions)
  options(): z.infer<typeof SignInOptions> {
    const { selfSignUpEnabled, allowedSignUpEmailDomains, oidcProviders, publicBaseUrl, smtpUrl, requireVerifiedEmail } = this.config;
    return {
      sign_up_enabled: selfSignUpEnabled,
      password_reset_by_mail: smtpUrl !== null,
      passkeys: this.passkeys.areAvailable,
      verified_email_required: requireVerifiedEmail,
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
  @Summary(
    'Sign up: create an account for the caller, if the deployment allows it. With requireVerifiedEmail, a mail with a link that verifies the address is sent.',
  )
  @Answers(201, Person)
  @Refuses('sign_up_disabled', 403)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('email_taken', 409)
  @Refuses('user_erased', 409)
  async signUp(@FreshId() userId: string, @Body() body: SignUpBody, @Res({ passthrough: true }) reply: FastifyReply): Promise<Person> {
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
      // The address is not verified, so only an administrator can add the user to the other groups.
      groups: autoJoinUserGroups.filter((group) => !needsVerifiedAddress(group)),
      mustChangePassword: false,
      origin: 'sign_up',
    });
    // A repeated request derives the same mail ID, so no second mail is sent.
    if (this.config.requireVerifiedEmail) await this.verifications.request(derivedId(userId, 'email-verification'), email);
    const { person, version } = await this.people.withVersion(userId);
    reply.header('etag', etagOf(version));
    return person;
  }

  @Post('sign-in')
  @Open()
  @HttpCode(200)
  @Audited('sign_in', 'user')
  @Summary(
    'Sign in: begin a session with e-mail address and password. A user with a second factor gets a challenge token instead of the tokens of a session.',
  )
  @Answers(200, SignInAnswer)
  @Refuses('invalid_session_header', 400)
  @Refuses('wrong_credentials', 401)
  @Refuses('user_disabled', 403)
  @Refuses('email_not_verified', 403)
  @Refuses('too_many_attempts', 429)
  @Refuses('busy', 503)
  async signIn(
    @Body() { email, password }: SignInBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<z.infer<typeof SignInAnswer>> {
    const inCookie = this.cookies.isWanted(header);
    const answer = await this.signIns.withPassword(email, password);
    return 'second_factor_required' in answer ? answer : this.cookies.deliverTokens(reply, inCookie, answer);
  }

  @Post('refresh')
  @Open()
  @HttpCode(200)
  @AuditedIfUnknown('refresh_session', 'session')
  @Summary(
    `Get the next tokens of a session. For ${REFRESH_GRACE_MILLIS / 1000} seconds, the same client can send a used refresh token again and gets the same next one. After that, or from another client, a used refresh token ends the session.`,
  )
  @Answers(200, SignedInAnswer)
  @Refuses('invalid_session_header', 400)
  @Refuses('invalid_refresh_token', 401)
  async refresh(
    @Body() { refresh_token }: RefreshBody,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<SignedInAnswer> {
    const inCookie = this.cookies.isWanted(header);
    if (inCookie === (refresh_token !== undefined)) throw misplacedToken(inCookie);
    // Without the header the cookie is ignored, because browsers also send it with requests that other sites cause.
    const token = inCookie ? this.cookies.read(headers.cookie) : refresh_token;
    if (!token) throw invalidRefreshToken();
    return this.cookies.deliverTokens(reply, inCookie, await this.sessions.refresh(token));
  }

  @Post('sign-out')
  @SignedIn()
  @HttpCode(204)
  @Summary('Sign out: end the session. Its tokens are invalid by the time the answer arrives.')
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
  const message = inCookie ? 'must be absent if the refresh token is in a cookie' : 'must be a string';
  return refuse('invalid', 'invalid_body', `The field refresh_token ${message}.`, { errors: [{ path: 'refresh_token', message }] });
}
