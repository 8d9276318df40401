import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, Caller, FreshId, Open, SESSION_HEADER, SignedIn } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import type { AssertionJson, RegistrationJson } from '../../adapters/factors/webauthn-json.ts';
import { AddedPasskey, PasskeyEnrolment } from '../../workflows/factors/passkey-enrolment.ts';
import { OfferedPasskey, PasskeyChallenge, PasskeyRequest } from '../../workflows/factors/passkey-options.ts';
import { PasskeySignIn } from '../../workflows/factors/passkey-sign-in.ts';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';
import { SecondStep } from '../../workflows/factors/second-step.ts';
import { SignedInAnswer } from '../../workflows/sessions.ts';
import { IsName } from '../bodies.ts';
import { SessionCookie } from '../sign-in/session-cookie.ts';
import { AddFactorBody, IsAssertion, IsChallengeToken, IsRegistration } from './proof-body.ts';

class ConfirmPasskeyBody {
  /** The user's name for the passkey. */
  @IsName() name!: string;
  @IsRegistration() credential!: RegistrationJson;
}

class PasskeyOptionsBody {
  @IsChallengeToken() challenge_token!: string;
}

class PasskeySignInBody {
  @IsChallengeToken() challenge_token!: string;
  @IsAssertion() passkey!: AssertionJson;
}

@Controller()
export class PasskeysController {
  constructor(
    private readonly enrolment: PasskeyEnrolment,
    private readonly factors: SecondFactors,
    private readonly secondStep: SecondStep,
    private readonly signIns: PasskeySignIn,
    private readonly cookies: SessionCookie,
  ) {}

  @Post('user/me/factors/passkeys')
  @SignedIn()
  @Audited('add_second_factor', 'user')
  @Summary('Request the options for creating a passkey. They are valid for five minutes, or until other options are requested.')
  @Answers(201, OfferedPasskey)
  @Refuses('password_required', 403)
  @Refuses('recent_sign_in_required', 403)
  @Refuses('step_up_required', 403)
  @Refuses('wrong_password', 403)
  @Refuses('user_not_found', 404)
  @Refuses('passkeys_unavailable', 409)
  @Refuses('too_many_passkeys', 409)
  @Refuses('too_many_attempts', 429)
  @Refuses('busy', 503)
  offer(
    @FreshId() factorId: string,
    @Caller() { userId, sessionId }: Caller,
    @Body() { current_password: currentPassword }: AddFactorBody,
  ): Promise<OfferedPasskey> {
    return this.enrolment.offer({ userId, sessionId, currentPassword }, factorId);
  }

  @Post('user/me/factors/passkeys/confirm')
  @SignedIn()
  @HttpCode(200)
  @Audited('add_second_factor', 'user')
  @Summary(
    'Add the passkey that an authenticator made from the options. With the first second factor, the answer shows ten recovery codes, once.',
  )
  @Answers(200, AddedPasskey)
  @Refuses('invalid_passkey', 400)
  @Refuses('step_up_required', 403)
  @Refuses('passkey_not_offered', 409)
  @Refuses('passkey_exists', 409)
  @Refuses('passkey_taken', 409)
  @Refuses('passkeys_unavailable', 409)
  @Refuses('too_many_passkeys', 409)
  confirm(@Caller() { userId, sessionId }: Caller, @Body() { name, credential }: ConfirmPasskeyBody): Promise<AddedPasskey> {
    return this.enrolment.confirm(userId, sessionId, name, credential);
  }

  @Post('user/me/step-up/passkey-options')
  @SignedIn()
  @HttpCode(200)
  @Summary('Request the options for proving a passkey with POST /user/me/step-up.')
  @Answers(200, PasskeyChallenge)
  @Refuses('no_passkey', 409)
  @Refuses('passkeys_unavailable', 409)
  stepUpOptions(@Caller() { userId }: Caller): Promise<PasskeyChallenge> {
    return this.factors.stepUpOptions(userId);
  }

  @Post('auth/second-factor/passkey-options')
  @Open()
  @HttpCode(200)
  @Summary('Request the options for completing a sign-in with a passkey through POST /auth/second-factor.')
  @Answers(200, PasskeyRequest)
  @Refuses('invalid_challenge', 401)
  @Refuses('no_passkey', 409)
  @Refuses('passkeys_unavailable', 409)
  secondStepOptions(@Body() { challenge_token }: PasskeyOptionsBody): Promise<PasskeyRequest> {
    return this.secondStep.passkeyOptions(challenge_token);
  }

  @Post('auth/passkeys/options')
  @Open()
  @HttpCode(200)
  @Summary('Request the options for signing in with a passkey alone.')
  @Answers(200, PasskeyChallenge)
  @Refuses('passkeys_unavailable', 409)
  signInOptions(): PasskeyChallenge {
    return this.signIns.options();
  }

  @Post('auth/passkeys')
  @Open()
  @HttpCode(200)
  @Audited('sign_in', 'user')
  @Summary('Sign in with a passkey alone. The authenticator must have verified its user, for example with a PIN or a fingerprint.')
  @Answers(200, SignedInAnswer)
  @Refuses('invalid_session_header', 400)
  @Refuses('invalid_challenge', 401)
  @Refuses('wrong_passkey', 401)
  @Refuses('wrong_credentials', 401)
  @Refuses('provider_required', 403)
  @Refuses('email_not_verified', 403)
  @Refuses('user_disabled', 403)
  @Refuses('passkeys_unavailable', 409)
  @Refuses('too_many_attempts', 429)
  async signIn(
    @Body() { challenge_token, passkey }: PasskeySignInBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<SignedInAnswer> {
    const inCookie = this.cookies.isWanted(header);
    return this.cookies.deliverTokens(reply, inCookie, await this.signIns.complete(challenge_token, passkey));
  }
}
