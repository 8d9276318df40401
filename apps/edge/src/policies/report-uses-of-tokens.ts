import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { Timers } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { TokenUses } from '../http/authentication/token-uses.ts';

const REPORTED_EVERY_MILLIS = 5 * 60_000;

/** When a personal access token was last used is told every few minutes, so that no request waits for it. */
@Injectable()
export class ReportUsesOfTokens implements OnApplicationBootstrap {
  constructor(
    private readonly uses: TokenUses,
    private readonly timers: Timers,
    private readonly shutdown: ShutdownPlan,
  ) {}

  onApplicationBootstrap(): void {
    const report = () => this.uses.report().catch(passOverRefusals);
    this.timers.every(REPORTED_EVERY_MILLIS, 'report uses of personal access tokens', report);
    this.shutdown.stop('consumers', 'edge: uses of personal access tokens', report);
  }
}

/** Identity does not answer. The next run tells it all. */
function passOverRefusals(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
