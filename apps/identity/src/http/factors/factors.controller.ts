import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, AuditedRead, Caller, FreshId, IdParam, IsUlid, Needs, SignedIn } from '@parlance/http';
import { IsOptional } from 'class-validator';
import { FactorsOfUser, OfferedTotp, OwnFactors, RecoveryCodesAnswer } from '../../workflows/factors/factor-answers.ts';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';
import { TotpEnrolment } from '../../workflows/factors/totp-enrolment.ts';
import { AddFactorBody, IsChallengeToken, IsCode, ProofBody, requireOneProof } from './proof-body.ts';

class ConfirmTotpBody {
  @IsCode() code!: string;
  /** The `factor_id` of the app's secret. Absent for the newest secret. */
  @IsOptional() @IsUlid() factor_id?: string;
}

class StepUpBody extends ProofBody {
  /** The token from POST /user/me/step-up/passkey-options. Needed with a passkey. */
  @IsOptional() @IsChallengeToken() challenge_token?: string;
}

@Controller()
export class FactorsController {
  constructor(
    private readonly factors: SecondFactors,
    private readonly totp: TotpEnrolment,
  ) {}

  @Get('user/me/factors')
  @SignedIn()
  @Summary("List the caller's second factors.")
  @Answers(200, OwnFactors)
  list(@Caller() { userId }: Caller): Promise<OwnFactors> {
    return this.factors.shown(userId);
  }

  @Post('user/me/factors/totp')
  @SignedIn()
  @Audited('add_second_factor', 'user')
  @Summary('Request the secret of a new authenticator app. The app becomes a second factor when its first code is confirmed.')
  @Answers(201, OfferedTotp)
  @Refuses('password_required', 403)
  @Refuses('recent_sign_in_required', 403)
  @Refuses('step_up_required', 403)
  @Refuses('wrong_password', 403)
  @Refuses('user_not_found', 404)
  @Refuses('totp_exists', 409)
  @Refuses('too_many_attempts', 429)
  @Refuses('busy', 503)
  offerTotp(
    @FreshId() factorId: string,
    @Caller() { userId, sessionId }: Caller,
    @Body() { current_password: currentPassword }: AddFactorBody,
  ): Promise<OfferedTotp> {
    return this.totp.offer({ userId, sessionId, currentPassword }, factorId);
  }

  @Post('user/me/factors/totp/confirm')
  @SignedIn()
  @HttpCode(200)
  @Audited('add_second_factor', 'user')
  @Summary('Confirm a new authenticator app with its first code. The answer shows ten recovery codes, once.')
  @Answers(200, RecoveryCodesAnswer)
  @Refuses('wrong_code', 400)
  @Refuses('user_not_found', 404)
  @Refuses('totp_not_offered', 409)
  confirmTotp(@Caller() { userId, sessionId }: Caller, @Body() { code, factor_id }: ConfirmTotpBody): Promise<RecoveryCodesAnswer> {
    return this.totp.confirm(userId, sessionId, code, factor_id ?? undefined);
  }

  @Post('user/me/factors/recovery-codes')
  @SignedIn()
  @HttpCode(200)
  @Audited('make_recovery_codes', 'user')
  @Summary('Make ten new recovery codes. Earlier codes are invalid.')
  @Answers(200, RecoveryCodesAnswer)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('no_second_factor', 409)
  newRecoveryCodes(@Caller() { userId, sessionId }: Caller): Promise<RecoveryCodesAnswer> {
    return this.factors.newRecoveryCodes(userId, sessionId);
  }

  @Post('user/me/step-up')
  @SignedIn()
  @HttpCode(204)
  @Audited('step_up', 'user')
  @Summary('Prove a second factor in this session. For ten minutes, actions that need a fresh one are allowed.')
  @Answers(204)
  @Refuses('invalid_challenge', 401)
  @Refuses('wrong_second_factor', 401)
  @Refuses('user_not_found', 404)
  @Refuses('too_many_attempts', 429)
  async stepUp(@Caller() { userId, sessionId }: Caller, @Body() body: StepUpBody): Promise<void> {
    requireOneProof(body);
    await this.factors.stepUp(userId, sessionId, body);
  }

  @Delete('user/me/factors/:factorId')
  @SignedIn()
  @HttpCode(204)
  @Audited('remove_second_factor', 'user')
  @Summary('Remove a second factor of the caller. With the last one, the recovery codes are removed.')
  @Answers(204)
  @Refuses('step_up_required', 403)
  @Refuses('factor_not_found', 404)
  @Refuses('user_not_found', 404)
  async remove(@Caller() { userId, sessionId }: Caller, @IdParam('factorId') factorId: string): Promise<void> {
    await this.factors.remove(userId, sessionId, factorId);
  }

  @Get('admin/users/:userId/factors')
  @Needs('Admin')
  @AuditedRead('view_second_factors', 'user', 'userId')
  @Summary("List a user's second factors: their kinds and times, without names.")
  @Answers(200, FactorsOfUser)
  @Refuses('user_not_found', 404)
  listOf(@IdParam('userId') userId: string): Promise<FactorsOfUser> {
    return this.factors.ofUser(userId);
  }

  @Delete('admin/users/:userId/factors')
  @Needs('Admin')
  @HttpCode(204)
  @Audited('reset_second_factors', 'user', 'userId')
  @Summary('Remove all second factors and recovery codes of another user, who has lost them.')
  @Answers(204)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('own_second_factors', 409)
  async reset(@Caller() caller: Caller, @IdParam('userId') userId: string): Promise<void> {
    if (caller.userId === userId)
      throw refuse('conflict', 'own_second_factors', 'Remove your own second factors with DELETE /user/me/factors/{factorId}.');
    await this.factors.requireFreshIfNeeded(caller.userId, caller.sessionId);
    await this.factors.reset(userId);
  }
}
