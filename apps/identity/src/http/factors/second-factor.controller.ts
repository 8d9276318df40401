import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, Open, SESSION_HEADER } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import { SecondStep } from '../../workflows/factors/second-step.ts';
import { SignedInAnswer } from '../../workflows/sessions.ts';
import { SessionCookie } from '../sign-in/session-cookie.ts';
import { IsChallengeToken, ProofBody, requireOneProof } from './proof-body.ts';

class SecondFactorBody extends ProofBody {
  @IsChallengeToken() challenge_token!: string;
}

@Controller('auth')
export class SecondFactorController {
  constructor(
    private readonly secondStep: SecondStep,
    private readonly cookies: SessionCookie,
  ) {}

  @Post('second-factor')
  @Open()
  @HttpCode(200)
  @Audited('sign_in', 'user')
  @Summary('Complete a sign-in with a second factor: the code of an authenticator app, a passkey, or a recovery code.')
  @Answers(200, SignedInAnswer)
  @Refuses('invalid_session_header', 400)
  @Refuses('invalid_challenge', 401)
  @Refuses('wrong_second_factor', 401)
  @Refuses('wrong_credentials', 401)
  @Refuses('user_disabled', 403)
  @Refuses('user_not_found', 404)
  @Refuses('too_many_attempts', 429)
  async secondFactor(
    @Body() body: SecondFactorBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<SignedInAnswer> {
    const inCookie = this.cookies.isWanted(header);
    requireOneProof(body);
    return this.cookies.deliverTokens(reply, inCookie, await this.secondStep.complete(body.challenge_token, body));
  }
}
