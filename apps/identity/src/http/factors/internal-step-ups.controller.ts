import { Controller, HttpCode, Post } from '@nestjs/common';
import { Caller, Internal } from '@parlance/http';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';

/** For services with actions that need a fresh second factor. */
@Controller('internal/step-ups')
@Internal()
export class InternalStepUpsController {
  constructor(private readonly factors: SecondFactors) {}

  /** Checks the user on whose behalf the call is made. Throws the refusal `step_up_required`. Changes nothing. */
  @Post()
  @HttpCode(204)
  async require(@Caller() { userId, sessionId }: Caller): Promise<void> {
    await this.factors.requireFreshIfNeeded(userId, sessionId);
  }
}
