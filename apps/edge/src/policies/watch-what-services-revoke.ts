import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ShutdownPlan } from '@parlance/observability';
import { RevocationWatcher } from '@parlance/revocation';
import { PublicationRevocationWatcher } from '../adapters/publication-revocation-watcher.ts';

/** Keeps copies of what identity and publication have revoked, so that no request has to ask whether a session or a key is still valid. */
@Injectable()
export class WatchWhatServicesRevoke implements OnApplicationBootstrap {
  constructor(
    private readonly identity: RevocationWatcher,
    private readonly publication: PublicationRevocationWatcher,
    private readonly shutdown: ShutdownPlan,
  ) {}

  onApplicationBootstrap(): void {
    for (const [name, watcher] of [
      ['identity', this.identity],
      ['publication', this.publication],
    ] as const) {
      this.shutdown.stop('consumers', `edge: revocations of ${name}`, () => watcher.stop());
      watcher.start();
    }
  }
}
