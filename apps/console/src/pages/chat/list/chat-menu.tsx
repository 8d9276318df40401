import { Ellipsis } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import type { NamedChat } from './kept-chats.ts';

const ChatActions = lazy(() => import('./chat-actions.tsx').then((its) => ({ default: its.ChatActions })));

interface ChatMenuProps {
  readonly chat: NamedChat;
  readonly isTemporary?: boolean;
  readonly className?: string;
}

/** A button for what can be done with a chat. */
export function ChatMenu({ chat, isTemporary = false, className = '' }: ChatMenuProps) {
  const { chat: texts } = useMessages();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // Dialogs of the list stay when it is closed.
  const [wasOpen, setWasOpen] = useState(false);
  const toggle = () => {
    setWasOpen(true);
    setOpen(!isOpen);
  };
  return (
    <>
      <IconButton
        ref={button}
        label={texts.actionsOf(chat.title)}
        className={className}
        onPress={toggle}
        aria-haspopup="menu"
        aria-expanded={isOpen}
      >
        <Ellipsis aria-hidden className="size-4.5" />
      </IconButton>
      {wasOpen && (
        <Suspense>
          <ChatActions chat={chat} isTemporary={isTemporary} isMenuOpen={isOpen} trigger={button} onMenuClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
