import type { FactoryProvider } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { Projector, ReadModels } from '@parlance/read-models';
import { RevocationFeed, StoredRevocations, WatcherRegistry } from '@parlance/revocation';
import type { Host } from '@parlance/foundation';

/** What edges poll, over the rows that this projection fills. */
export function revocationFeed({ shutdown }: Host, projection: { readonly name: string }): FactoryProvider<RevocationFeed> {
  return {
    provide: RevocationFeed,
    useFactory: (store: EventStore, models: ReadModels, projector: Projector, watchers: WatcherRegistry) => {
      const feed = new RevocationFeed(new StoredRevocations(store, models, projector, projection.name), watchers);
      // Polls wait for news, and a server that stops waits for their answers.
      shutdown.stop('refuse', 'identity: revocations', () => feed.close());
      return feed;
    },
    inject: [EventStore, ReadModels, Projector, WatcherRegistry],
  };
}
