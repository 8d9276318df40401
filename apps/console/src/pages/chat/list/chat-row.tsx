import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { ChatMenu } from './chat-menu.tsx';
import { DRAGGED_CHAT, type ListedChat } from './listed-chat.ts';

interface Props {
  readonly chat: ListedChat;
  readonly children?: ReactNode;
}

/** A chat in the list, with its menu. There may be thousands, so only changed rows are rendered again. */
export const ChatRow = memo(
  function ChatRow({ chat, children }: Props) {
    return (
      <li className="group relative [contain-intrinsic-size:auto_2.25rem] [content-visibility:auto]">
        <Link
          to="/c/$conversationId"
          params={{ conversationId: chat.id }}
          preload={false}
          onDragStart={(event) => event.dataTransfer.setData(DRAGGED_CHAT, chat.id)}
          className="flex min-h-9 flex-col justify-center rounded-sm py-1 ps-2.5 pe-9 text-sm text-text hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent max-md:min-h-11 max-md:pe-11"
        >
          <span className="truncate" dir="auto">
            {chat.title}
          </span>
          {children}
        </Link>
        <ChatMenu
          chat={chat}
          className="absolute! end-0 top-0 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 aria-expanded:opacity-100 max-md:opacity-100"
        />
      </li>
    );
  },
  (one, other) => JSON.stringify(one.chat) === JSON.stringify(other.chat) && one.children === other.children,
);
