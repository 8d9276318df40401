import type { FoundConversation } from '@parlance/client/types';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMessages } from '../../../messages/index.ts';
import { ErrorNote, Loading } from '../../../ui/states.tsx';
import { ChatRow } from './chat-row.tsx';
import { chatSearchQuery } from './chats-query.ts';
import { listed } from './listed-chat.ts';
import { MoreChats } from './more-chats.tsx';

/** The chats that contain all words of the search. */
export function FoundChats({ query: words }: { readonly query: string }) {
  const { chat } = useMessages();
  const query = useInfiniteQuery(chatSearchQuery(words));
  const { data, error, isPending, hasNextPage } = query;
  if (isPending) return <Loading />;
  if (data === undefined) return <ErrorNote error={error} />;
  const found = data.pages.flatMap(({ results }) => results);
  return (
    <>
      <p role="status" className="px-2.5 py-1 text-xs text-muted">
        {chat.found(found.length, hasNextPage)}
      </p>
      <ul className="flex flex-col gap-0.5">
        {found.map((its) => (
          <ChatRow key={its.conversation_id} chat={listed(its, chat.untitled)}>
            <Highlight found={its} />
          </ChatRow>
        ))}
      </ul>
      <MoreChats query={query} />
    </>
  );
}

/** The most characters shown before the match, because the line is short. */
const BEFORE = 12;

function Highlight({ found: { highlights } }: { readonly found: FoundConversation }) {
  const [first] = highlights;
  const match = first?.matches[0];
  if (!first || !match) return null;
  const { text } = first;
  const from = Math.max(0, match.start - BEFORE);
  return (
    <span className="truncate text-xs font-normal text-muted">
      {from > 0 && '…'}
      {text.slice(from, match.start)}
      <mark className="bg-accent-soft text-accent">{text.slice(match.start, match.start + match.length)}</mark>
      {text.slice(match.start + match.length)}
    </span>
  );
}
