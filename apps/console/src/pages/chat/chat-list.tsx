import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { Button } from '../../ui/button.tsx';
import { inputLook } from '../../ui/fields/field-parts.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { ChatRow } from './list/chat-row.tsx';
import { chatsQuery } from './list/chats-query.ts';
import { byDate } from './list/date-groups.ts';
import { FoundChats } from './list/found-chats.tsx';
import { shelves } from './list/kept-chats.ts';
import { useKeptChats, useKeptStore } from './list/use-kept-chats.ts';

const PAUSE_MILLIS = 250;

/** The chats of the user, in the navigation. */
export function ChatList() {
  const { common, chat } = useMessages();
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  return (
    <nav aria-label={common.chats} className="flex flex-col gap-2 border-t border-line pt-3">
      <input
        type="search"
        aria-label={chat.searchChats}
        placeholder={chat.searchChats}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={inputLook}
      />
      {/\w|\p{L}/u.test(query) ? <FoundChats query={query} /> : <AllChats />}
    </nav>
  );
}

/** Returns the text, updated when the user pauses typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MILLIS);
    return () => clearTimeout(timer);
  }, [text]);
  return useDeferredValue(settled);
}

function AllChats() {
  const { common, chat } = useMessages();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(chatsQuery);
  const store = useKeptStore();
  const kept = useKeptChats();
  const chats = useMemo(() => data?.pages.flatMap(({ conversations }) => conversations) ?? [], [data]);
  useEffect(() => store.rename(new Map(chats.map(({ conversation_id, title }) => [conversation_id, title]))), [store, chats]);
  if (isPending) return <Loading />;
  if (data === undefined)
    return (
      <>
        <ErrorNote error={error} />
        <Button size="small" onPress={() => void refetch()}>
          {common.retry}
        </Button>
      </>
    );
  const keptIds = new Set(kept.map(({ id }) => id));
  const others = chats.filter(({ conversation_id }) => !keptIds.has(conversation_id));
  return (
    <>
      {shelves(kept).map(({ folder, chats: its }) => (
        <Group key={folder ?? ''} title={folder ?? chat.pinned} note={chat.keptHere}>
          {its.map((each) => (
            <ChatRow key={each.id} chat={each} />
          ))}
        </Group>
      ))}
      {byDate(others, new Date()).map(({ group, items }) => (
        <Group key={JSON.stringify(group)} title={chat.dateGroup(group)}>
          {items.map(({ conversation_id, title }) => (
            <ChatRow key={conversation_id} chat={{ id: conversation_id, title: title || chat.untitled }} />
          ))}
        </Group>
      ))}
      {chats.length === 0 && <p className="px-2.5 py-2 text-xs text-muted">{chat.noChats}</p>}
      {hasNextPage && (
        <Button size="small" look="quiet" className="w-full" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {common.more}
        </Button>
      )}
    </>
  );
}

function Group({ title, note, children }: { readonly title: string; readonly note?: string; readonly children: React.ReactNode }) {
  return (
    <section>
      <h2 className="truncate px-2.5 pt-2 pb-1 text-xs font-medium text-muted" title={note}>
        {title}
      </h2>
      <ul className="flex flex-col gap-0.5">{children}</ul>
    </section>
  );
}
