import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { METRICS } from '@parlance/foundation';
import { type Metrics, Readiness, ShutdownPlan } from '@parlance/observability';
import { EVERY_MILLIS, RenewLeasesWhileRepliesAreWritten } from './renew-leases-while-replies-are-written.ts';
import { ReplyScheduler } from './reply-scheduler.ts';

/** Reports in health and metrics how many replies are running and waiting. Waits for the running replies when the process stops. */
@Injectable()
export class RepliesLifecycle implements OnApplicationBootstrap {
  constructor(
    private readonly replies: ReplyScheduler,
    private readonly leases: RenewLeasesWhileRepliesAreWritten,
    private readonly readiness: Readiness,
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly shutdown: ShutdownPlan,
  ) {}

  onApplicationBootstrap(): void {
    this.readiness.shows('replies', async () => ({ ...(await this.replies.numbers()) }));
    this.metrics.repliesOwed(async () => (await this.replies.numbers()).owed);
    this.shutdown.stop('consumers', 'inference: replies', () => this.stop());
  }

  /** Timers have stopped by now, so this keeps renewing the leases of running replies until they finish. */
  private async stop(): Promise<void> {
    const renewing = setInterval(() => void this.leases.check(), EVERY_MILLIS);
    await this.replies.stop();
    clearInterval(renewing);
  }
}
