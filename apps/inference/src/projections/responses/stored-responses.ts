import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type Cursor, type Page, patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { StoredResponseEvent } from '../../domain/responses/stored-response.ts';
import type { Inactive } from '../inactive-conversations.ts';

/** A stored response. Its content is only in its stream. */
export interface StoredResponseRow {
  readonly response_id: string;
  readonly user_id: string;
  /** When it was stored, or when the newest response that continues it was stored. */
  readonly active_at: Instant;
}

interface ErasedResponsesRow {
  readonly responses: number;
}

const responseRows = table<StoredResponseRow>('stored_responses', {
  byUser: ['user_id'],
  byActivity: ['active_at'],
  byUserActivity: ['user_id', 'active_at'],
});
const erasedRows = table<ErasedResponsesRow>('erased_responses');

/** Rows of one read. */
const PAGE = 100;

export const storedResponses = projection<StoredResponseEvent>({
  name: 'stored-responses',
  version: 1,
  tables: [responseRows, erasedRows],
  on: {
    ResponseStored: ({ userId, chain, at }, { stream }) => {
      const response_id = idInStream(stream);
      return [
        put(responseRows, response_id, { response_id, user_id: userId, active_at: at }),
        // A chain is one conversation: retention counts from its newest response.
        ...chain.ids.map((id) => patch(responseRows, id, { active_at: at })),
      ];
    },
    ResponseDeleted: ({ userId, because }, { stream }) => [
      remove(responseRows, idInStream(stream)),
      ...(because === 'user_erased' ? [add(erasedRows, userId, { responses: 1 }, {})] : []),
    ],
  },
});

/** A user's responses, in the order of their IDs: the oldest first. */
export const ResponsesOf = query('ResponsesOf', (models, userId: string, after: Cursor | null): Promise<Page<StoredResponseRow>> =>
  models.find(responseRows, { index: 'byUser', where: { user_id: userId }, limit: PAGE, ...(after && { after }) }),
);

/** Responses that were not continued since a time, the oldest first. The name of a list is a user. Responses have no bot. */
export const ResponsesUntil = query(
  'ResponsesUntil',
  async (models, which: Inactive, until: Instant, limit: number, after: Cursor | null): Promise<Page<StoredResponseRow>> => {
    const page = { to: until, limit, ...(after && { after }) } as const;
    switch (which.of) {
      case 'all':
        return models.find(responseRows, { index: 'byActivity', ...page });
      case 'bot':
        return { rows: [], keys: [], next: null };
      case 'list':
        return models.find(responseRows, { index: 'byUserActivity', where: { user_id: which.list }, ...page });
    }
  },
);

export const ErasedResponsesOf = query('ErasedResponsesOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedRows, userId))?.responses ?? 0;
});
