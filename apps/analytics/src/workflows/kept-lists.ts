import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { ObjectStore } from '@parlance/object-store';

const PREFIX = 'analytics/lists/';
/** How long the pages of a list can be requested. */
export const KEPT_MILLIS = 3_600_000;
const REMOVED_AT_ONCE = 500;

/** The beginning of the next page of a list. */
export interface ListCursor {
  readonly list: string;
  readonly from: number;
}

/**
 * The order of a list whose figures change while its pages are read. It is stored for an hour when the first page is answered, so that the
 * other pages, from any replica, neither skip nor repeat an entry. It contains only IDs.
 */
@Injectable()
export class KeptLists {
  constructor(
    private readonly objects: ObjectStore,
    private readonly clock: Clock,
  ) {}

  async keep(ids: readonly string[]): Promise<string> {
    const list = newId();
    await this.objects.put(PREFIX + list, Buffer.from(JSON.stringify(ids)), { contentType: 'application/json' });
    return list;
  }

  /** The IDs of a list. Refuses with `invalid_next_token` when the list is no longer kept. */
  async read(list: string): Promise<readonly string[]> {
    const object = await this.objects.get(PREFIX + list);
    if (object) return JSON.parse((await buffer(object.body)).toString()) as readonly string[];
    throw refuse('invalid', 'invalid_next_token', 'The pages of this list are no longer kept. Start again from the first page.', {
      errors: [{ path: 'next_token', message: 'is older than an hour' }],
    });
  }

  async removeOld(): Promise<void> {
    const before = this.clock.now() - KEPT_MILLIS;
    let after: string | undefined;
    for (;;) {
      const listed = await this.objects.list(PREFIX, { limit: REMOVED_AT_ONCE, ...(after !== undefined && { after }) });
      for (const { key, modified } of listed) if (modified.getTime() < before) await this.objects.remove(key);
      if (listed.length < REMOVED_AT_ONCE) return;
      after = listed.at(-1)!.key;
    }
  }
}
