import type { Instant } from '@parlance/decider';
import type { Cursor, Page } from '@parlance/read-models';
import { query } from '../bus.ts';
import { type ListedConversationRow, listedRows } from './conversation-list.ts';

/** Which conversations to search: all, those with a bot, or those in one list. */
export type Inactive =
  | { readonly of: 'all' }
  | { readonly of: 'bot'; readonly botId: string }
  | { readonly of: 'list'; readonly list: string };

/** Conversations without a message since a time, the oldest first. Leaves out conversations that are being deleted. */
export const InactiveUntil = query(
  'InactiveUntil',
  async (models, which: Inactive, until: Instant, limit: number, after: Cursor | null): Promise<Page<ListedConversationRow>> => {
    const page = { to: until, limit, ...(after && { after }) } as const;
    switch (which.of) {
      case 'all':
        return models.find(listedRows, { index: 'byLastMessage', ...page });
      case 'bot':
        return models.find(listedRows, { index: 'byBot', where: { bot_id: which.botId }, ...page });
      case 'list':
        return models.find(listedRows, { index: 'byActivity', where: { list: which.list }, ...page });
    }
  },
);
