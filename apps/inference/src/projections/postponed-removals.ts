import { idInStream } from '@parlance/event-store';
import { projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { ClosedApiEvent } from '../domain/closed-api.ts';

/** A removed publication with conversations that a hold keeps. */
export interface PostponedRemovalRow {
  api_id: string;
  /** The owner of the bot. */
  user_id: string;
}

const postponedRows = table<PostponedRemovalRow>('postponed_removals');

export const postponedRemovals = projection<ClosedApiEvent>({
  name: 'postponed-removals',
  version: 1,
  tables: [postponedRows],
  on: {
    ApiRemovalPostponed: ({ userId }, { stream }) => [
      put(postponedRows, idInStream(stream), { api_id: idInStream(stream), user_id: userId }),
    ],
    ApiRemovalFinished: (_, { stream }) => [remove(postponedRows, idInStream(stream))],
  },
});

/** Postponed removals in the order of their IDs. */
export const PostponedRemovals = query(
  'PostponedRemovals',
  async (models, after: string | null, limit: number): Promise<readonly PostponedRemovalRow[]> => {
    return (await models.find(postponedRows, { index: 'key', limit, ...(after !== null && { after: [after] }) })).rows;
  },
);
