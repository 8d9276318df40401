import type { ConversationPage, ConversationSummary } from '@parlance/client/types';
import type { InfiniteData } from '@tanstack/react-query';

/** The pages of the list that were loaded. */
export type Chats = InfiniteData<ConversationPage>;

/** The loaded chats with the newest page in front. Only that is left, if there may be chats between it and the others. */
export function withNewest({ pages }: Chats, newest: ConversationPage): Chats {
  const ids = new Set(newest.conversations.map(({ conversation_id }) => conversation_id));
  const known = pages.flatMap(({ conversations }) => conversations);
  const end = newest.conversations.at(-1)?.last_message_time ?? 0;
  // A chat that is newer and not among the newest ones was deleted at another place.
  const older = known.filter(({ conversation_id, last_message_time }) => !ids.has(conversation_id) && last_message_time <= end);
  const isJoined = known.some(({ conversation_id }) => ids.has(conversation_id));
  if (newest.next_token === null || !isJoined || older.length === 0) return { pages: [newest], pageParams: [null] };
  return { pages: [newest, { conversations: older, next_token: pages.at(-1)!.next_token }], pageParams: [null, newest.next_token] };
}

/** The loaded chats with another title of one. */
export const withTitle = (chats: Chats, id: string, title: string): Chats =>
  inEach(chats, (all) => all.map((its) => (its.conversation_id === id ? { ...its, title } : its)));

/** The loaded chats without one. */
export const without = (chats: Chats, id: string): Chats =>
  inEach(chats, (all) => all.filter(({ conversation_id }) => conversation_id !== id));

const inEach = ({ pages, pageParams }: Chats, change: (all: ConversationSummary[]) => ConversationSummary[]): Chats => ({
  pages: pages.map((page) => ({ ...page, conversations: change(page.conversations) })),
  pageParams,
});
