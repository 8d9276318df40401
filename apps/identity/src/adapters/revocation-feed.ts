import { Injectable } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { ShutdownPlan } from '@parlance/observability';
import { Projector, ReadModels } from '@parlance/read-models';
import { RevocationFeed, StoredRevocations, WatcherRegistry } from '@parlance/revocation';
import { revocations } from '../projections/revocations.ts';

/** The revocations that edges poll. */
@Injectable()
export class IdentityRevocationFeed extends RevocationFeed {
  constructor(store: EventStore, models: ReadModels, projector: Projector, watchers: WatcherRegistry, shutdown: ShutdownPlan) {
    super(new StoredRevocations(store, models, projector, revocations.name), watchers);
    // Polls wait for news, and a server that stops waits for their answers.
    shutdown.stop('refuse', 'identity: revocations', () => this.close());
  }
}
