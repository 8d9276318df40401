import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMessages } from '../../messages/index.ts';
import { parlance } from '../../session/parlance.ts';
import { isAdmin, useMe } from '../../session/use-me.ts';
import { usePausedText } from '../../ui/fields/use-paused-text.ts';
import { fullName } from '../full-name.ts';
import { type EntrySection, excerpt } from './entries.ts';

/** The most entries that the server returns for each section. */
const MOST_FOUND = 6;
/** Shorter texts match too much, and people are not found by them. */
const SHORTEST = 2;

interface Found {
  readonly sections: readonly EntrySection[];
  readonly isSearching: boolean;
  readonly isFailed: boolean;
}

/** Chats, bots and, for administrators, people. The server is asked when the user pauses typing: three requests at most. */
export function useFoundEntries(text: string): Found {
  const { chat } = useMessages();
  const navigate = useNavigate();
  const isForAdmin = isAdmin(useMe());
  const query = text.trim();
  const paused = usePausedText(query);
  const isSearchable = query.length >= SHORTEST && /\w|\p{L}/u.test(query);
  const isCurrent = isSearchable && paused === query;
  const options = { enabled: isCurrent, staleTime: 30_000 };
  const chats = useQuery({
    ...options,
    queryKey: ['chats', 'palette', paused],
    queryFn: ({ signal }) => parlance.api.get('/conversations/search', { query: { query: paused, limit: MOST_FOUND }, signal }),
  });
  const bots = useQuery({
    ...options,
    queryKey: ['bots', 'palette', paused],
    queryFn: ({ signal }) => parlance.api.get('/store/search', { query: { query: paused, limit: MOST_FOUND }, signal }),
  });
  const people = useQuery({
    ...options,
    enabled: isCurrent && isForAdmin,
    queryKey: ['people', 'palette', paused],
    queryFn: ({ signal }) => parlance.api.get('/user/search', { query: { prefix: paused, limit: MOST_FOUND }, signal }),
  });
  if (!isSearchable) return { sections: [], isSearching: false, isFailed: false };
  const sections: readonly EntrySection[] = [
    {
      id: 'chats',
      entries: (chats.data?.results ?? []).map(({ conversation_id: conversationId, title, highlights }) => ({
        id: `chat:${conversationId}`,
        name: title || chat.untitled,
        detail: excerpt(highlights[0]),
        run: () => void navigate({ to: '/c/$conversationId', params: { conversationId } }),
      })),
    },
    {
      id: 'bots',
      entries: (bots.data?.results ?? []).map((bot) => ({
        id: `bot:${bot.id}`,
        name: bot.title,
        detail: bot.description || undefined,
        bot,
        run: () => void navigate({ to: '/', search: { bot: bot.id } }),
      })),
    },
    {
      id: 'people',
      entries: (people.data?.users ?? []).map(({ user_id: userId, ...names }) => ({
        id: `person:${userId}`,
        name: fullName(names) || userId,
        run: () => void navigate({ to: '/admin/users/$userId', params: { userId } }),
      })),
    },
  ];
  const all = [chats, bots, people];
  return {
    sections,
    isSearching: !isCurrent || all.some(({ isFetching }) => isFetching),
    isFailed: isCurrent && all.some(({ isError }) => isError),
  };
}
