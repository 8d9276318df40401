import { Inject, Injectable } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { ShutdownPlan } from '@parlance/observability';
import { Projector, ReadModels } from '@parlance/read-models';
import { Config } from '@parlance/config';
import { RevocationFeed, StoredRevocations, SystemTime, WatcherRegistry } from '@parlance/revocation';
import { SERVICE } from '../wiring/common.module.ts';
import { revocationTerms } from './terms.ts';

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
    config: Config,
    @Inject(SERVICE) service: string,
  ) {
    super(new StoredRevocations(store, models, projector, PROJECTION), watchers, new SystemTime(), revocationTerms(config));
    // Polls wait for new revocations, and a stopping server waits for open polls. So end them first.
    shutdown.stop('refuse', `${service}: revocations`, () => this.close());
  }
}
