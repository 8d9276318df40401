import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RevocationWatcher } from '@parlance/revocation';

/** A session that has ended is to be known before its next request comes, and without asking for each. */
@Injectable()
export class WatchWhatIdentityRevokes implements OnApplicationBootstrap {
  constructor(private readonly watcher: RevocationWatcher) {}

  onApplicationBootstrap(): void {
    this.watcher.start();
  }
}
