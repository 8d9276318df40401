import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { Timers } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { BorrowedApiLimits } from '../http/published/borrowed-api-limits.ts';
import { IDLE_MILLIS } from '../http/published/key-account.ts';

/** How often it is looked which keys are to be reported. */
const REPORTED_EVERY_MILLIS = 1_000;

/** What this edge has borrowed of the limits of API keys and does not need is free for other edges. What it has counted is reported. */
@Injectable()
export class GiveBackLimitsThatAreNotUsed implements OnApplicationBootstrap {
  constructor(
    private readonly limits: BorrowedApiLimits,
    private readonly timers: Timers,
    private readonly shutdown: ShutdownPlan,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(IDLE_MILLIS, 'give back limits of API keys', () => this.limits.settle());
    this.timers.every(REPORTED_EVERY_MILLIS, 'report the usage of API keys', () => this.limits.usage.flushDue().catch(passOverRefusals));
    this.shutdown.stop('consumers', 'edge: limits of API keys', () => this.limits.stop());
  }
}

/** The publication service does not answer. The next run goes on; the breaker's state is in the metrics. */
function passOverRefusals(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
