import type { FoundConversation } from '@parlance/client/types';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote, Loading } from '../../../ui/states.tsx';
import { ChatRow } from './chat-row.tsx';
import { chatSearchQuery } from './chats-query.ts';

/** The chats that contain all words of the search. */
export function FoundChats({ query }: { readonly query: string }) {
  const { common, chat } = useMessages();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(chatSearchQuery(query));
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
          <ChatRow key={its.conversation_id} chat={{ id: its.conversation_id, title: its.title || chat.untitled }}>
            <Highlight found={its} />
          </ChatRow>
        ))}
      </ul>
      {hasNextPage && (
        <Button size="small" look="quiet" className="mt-1 w-full" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {common.more}
        </Button>
      )}
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
