import { Inject, Injectable } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { ShutdownPlan } from '@parlance/observability';
import { Projector, ReadModels } from '@parlance/read-models';
import { RevocationFeed, StoredRevocations, WatcherRegistry } from '@parlance/revocation';
import { SERVICE } from '../wiring/common.module.ts';

/** The name of the projection with the revocations, in each service that has one. */
const PROJECTION = 'revocations';

/** The service's revocations, which edges poll. */
@Injectable()
export class ServedRevocations extends RevocationFeed {
  constructor(
    store: EventStore,
    models: ReadModels,
    projector: Projector,
    watchers: WatcherRegistry,
    shutdown: ShutdownPlan,
    @Inject(SERVICE) service: string,
  ) {
    super(new StoredRevocations(store, models, projector, PROJECTION), watchers);
    // Polls wait for new revocations, and a stopping server waits for open polls. So end them first.
    shutdown.stop('refuse', `${service}: revocations`, () => this.close());
  }
}
