import { useInfiniteQuery } from '@tanstack/react-query';
import { type DragEvent, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { Button } from '../../ui/button.tsx';
import { inputLook } from '../../ui/fields/field-parts.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { ChatRow } from './list/chat-row.tsx';
import { chatsQuery } from './list/chats-query.ts';
import { byDate } from './list/date-groups.ts';
import { FoundChats } from './list/found-chats.tsx';
import { DRAGGED_CHAT, listed } from './list/listed-chat.ts';
import { MoreChats } from './list/more-chats.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const Shelves = lazyPart(() => import('./list/shelves.tsx'), 'Shelves');

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
  const query = useInfiniteQuery(chatsQuery);
  const { data, error, isPending, refetch } = query;
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
  const chats = data.pages.flatMap(({ conversations }) => conversations);
  const others = chats.filter(({ pinned, project_id }) => !pinned && project_id === null);
  return (
    <>
      <Suspense>
        <Shelves chats={query.hasNextPage ? null : chats} />
      </Suspense>
      {byDate(others, new Date()).map(({ group, items }) => (
        <Group key={JSON.stringify(group)} title={chat.dateGroup(group)}>
          {items.map((each) => (
            <ChatRow key={each.conversation_id} chat={listed(each, chat.untitled)} />
          ))}
        </Group>
      ))}
      {chats.length === 0 && <p className="px-2.5 py-2 text-xs text-muted">{chat.noChats}</p>}
      <MoreChats query={query} />
    </>
  );
}

function allowDrop(event: DragEvent): void {
  if (event.dataTransfer.types.includes(DRAGGED_CHAT)) event.preventDefault();
}

/** A chat that is dropped on the chats without a project leaves its project. */
function moveOut(event: DragEvent): void {
  const id = event.dataTransfer.getData(DRAGGED_CHAT);
  if (id !== '') void import('./list/move-out.ts').then((its) => its.moveOut(id)).catch(toastError);
}

function Group({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section onDragOver={allowDrop} onDrop={moveOut}>
      <h2 className="truncate px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{title}</h2>
      <ul className="flex flex-col gap-0.5">{children}</ul>
    </section>
  );
}
