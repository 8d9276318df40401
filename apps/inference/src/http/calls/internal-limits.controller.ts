import { Controller, Get } from '@nestjs/common';
import { IdParam, Internal } from '@parlance/http';
import { CallLimits, type UsedLimits } from '../../workflows/calls/call-limits.ts';

/** What tokens have used of their limits, for administrators' figures. */
@Controller('internal/calls/limits')
@Internal()
export class InternalLimitsController {
  constructor(private readonly limits: CallLimits) {}

  @Get(':tokenId')
  async used(@IdParam('tokenId') tokenId: string): Promise<UsedLimits> {
    return this.limits.usedBy(tokenId);
  }
}
