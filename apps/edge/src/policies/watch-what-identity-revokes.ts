import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ShutdownPlan } from '@parlance/observability';
import { RevocationWatcher } from '@parlance/revocation';

/** Keeps a copy of what identity has revoked, so that no request has to ask whether its session has ended. */
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
