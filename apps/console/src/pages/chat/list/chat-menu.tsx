import { Ellipsis } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import type { ListedChat } from './listed-chat.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const ChatActions = lazyPart(() => import('./chat-actions.tsx'), 'ChatActions');

interface ChatMenuProps {
  readonly chat: ListedChat;
  readonly isTemporary?: boolean;
  readonly className?: string;
}

/** The button that opens a chat's menu. */
export function ChatMenu({ chat, isTemporary = false, className = '' }: ChatMenuProps) {
  const { chat: texts } = useMessages();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // Keeps the actions mounted when the menu closes, because they contain its dialogs, which may still be open.
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
