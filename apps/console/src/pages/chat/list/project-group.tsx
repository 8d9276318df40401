import type { ProjectSummary } from '@parlance/client/types';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { useProjectMessages } from '../../../messages/project-messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { moveChat, projectChatsQuery } from '../../projects/project-queries.ts';
import { ChatRow } from './chat-row.tsx';
import { DRAGGED_CHAT, listed } from './listed-chat.ts';
import { MoreChats } from './more-chats.tsx';

/** IDs of the projects whose chats are shown, until the page is loaded again. */
const opened = new Set<string>();

/** A project in the navigation, with its chats. Chats can be dropped on it. */
export function ProjectGroup({ project: { project_id: id, title } }: { readonly project: ProjectSummary }) {
  const texts = useProjectMessages();
  const [isOpen, setOpen] = useState(opened.has(id));
  const [isOver, setOver] = useState(false);
  const toggle = (isShown: boolean) => {
    if (isShown) opened.add(id);
    else opened.delete(id);
    setOpen(isShown);
  };
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED_CHAT)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const chatId = event.dataTransfer.getData(DRAGGED_CHAT);
    if (chatId !== '') void moveChat(chatId, id).then(() => toggle(true), toastError);
  };
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`rounded-sm ${isOver ? 'bg-accent-soft outline-2 outline-accent' : ''}`}
    >
      <div className="flex items-center">
        <IconButton label={isOpen ? texts.hideChats(title) : texts.showChats(title)} aria-expanded={isOpen} onPress={() => toggle(!isOpen)}>
          <Chevron aria-hidden className="size-4 rtl:-scale-x-100" />
        </IconButton>
        <Link
          to="/projects/$projectId"
          params={{ projectId: id }}
          preload={false}
          draggable={false}
          className="flex min-h-9 min-w-0 grow items-center rounded-sm pe-2.5 text-sm hover:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-accent max-md:min-h-11"
        >
          <span className="truncate" dir="auto">
            {title}
          </span>
        </Link>
      </div>
      {isOpen && <ChatsOfProject id={id} />}
    </li>
  );
}

function ChatsOfProject({ id }: { readonly id: string }) {
  const { chat } = useMessages();
  const texts = useProjectMessages();
  const query = useInfiniteQuery(projectChatsQuery(id));
  if (query.data === undefined) return query.error === null ? null : <ErrorNote error={query.error} />;
  const chats = query.data.pages.flatMap(({ conversations }) => conversations);
  if (chats.length === 0) return <p className="ps-9 pb-1 text-xs text-muted">{texts.noChats}</p>;
  return (
    <>
      <ul className="flex flex-col gap-0.5 ps-6">
        {chats.map((each) => (
          <ChatRow key={each.conversation_id} chat={listed(each, chat.untitled)} />
        ))}
      </ul>
      <MoreChats query={query} />
    </>
  );
}
