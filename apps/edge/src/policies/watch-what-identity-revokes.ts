import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ShutdownPlan } from '@parlance/observability';
import { RevocationWatcher } from '@parlance/revocation';

/** A session that has ended is to be known before its next request comes, and without asking for each. */
@Injectable()
export class WatchWhatIdentityRevokes implements OnApplicationBootstrap {
  constructor(
    private readonly watcher: RevocationWatcher,
    private readonly shutdown: ShutdownPlan,
  ) {}

  onApplicationBootstrap(): void {
    this.shutdown.stop('consumers', 'edge: revocations', () => this.watcher.stop());
    this.watcher.start();
  }
}
