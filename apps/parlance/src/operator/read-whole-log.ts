import { EventStore, READ_COMMITS } from '@parlance/event-store';
import type { Started } from '@parlance/foundation';

/** Reads every event of a service with the upcasters of this version. Rejects with `NewerEvent`, or with the error of an upcaster. */
export async function readWholeLog({ app }: Started): Promise<void> {
  const store = app.get(EventStore);
  let position = 0;
  for (let page = await store.readAll(0, READ_COMMITS); page.length > 0; page = await store.readAll(position, READ_COMMITS))
    position = page.at(-1)!.position;
}
