import { Inject, Injectable } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { ShutdownPlan } from '@parlance/observability';
import { Projector, ReadModels } from '@parlance/read-models';
import { RevocationFeed, StoredRevocations, WatcherRegistry } from '@parlance/revocation';
import { SERVICE } from '../wiring/common.module.ts';

/** The projection that holds the revocations, in each service that has some. */
const PROJECTION = 'revocations';

/** The revocations of a service that edges poll. */
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
    // Polls wait for news, and a server that stops waits for their answers.
    shutdown.stop('refuse', `${service}: revocations`, () => this.close());
  }
}
