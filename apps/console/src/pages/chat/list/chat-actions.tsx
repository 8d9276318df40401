import { FolderInput, Pencil, Pin, PinOff, Share2, Trash2 } from 'lucide-react';
import { lazy, type RefObject, Suspense, useState } from 'react';
import { useChatActionMessages } from '../../../messages/chat-action-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { OpenedMenu } from '../../../ui/opened-menu.tsx';
import type { NamedChat } from './kept-chats.ts';
import { useKeptChats, useKeptStore } from './use-kept-chats.ts';

const ShareDialog = lazy(() => import('../../shares/share-dialog.tsx').then((its) => ({ default: its.ShareDialog })));
const RenameDialog = lazy(() => import('./rename-dialog.tsx').then((its) => ({ default: its.RenameDialog })));
const DeleteDialog = lazy(() => import('./delete-dialog.tsx').then((its) => ({ default: its.DeleteDialog })));
const FolderDialog = lazy(() => import('./folder-dialog.tsx').then((its) => ({ default: its.FolderDialog })));

interface ChatActionsProps {
  readonly chat: NamedChat;
  readonly isTemporary: boolean;
  readonly isMenuOpen: boolean;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onMenuClose: () => void;
}

/** The menu of a chat and its dialogs. Loaded when such a menu is first opened. */
export function ChatActions({ chat, isTemporary, isMenuOpen, trigger, onMenuClose }: ChatActionsProps) {
  const { actionsOf } = useMessages().chat;
  const texts = useChatActionMessages();
  const store = useKeptStore();
  const keptChat = useKeptChats().find(({ id }) => id === chat.id);
  const [open, setOpen] = useState<'share' | 'rename' | 'folder' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const isPinned = keptChat !== undefined && keptChat.folder === null;
  const icon = 'size-4';
  const pin = isPinned
    ? { id: 'unpin', name: texts.unpin, icon: <PinOff aria-hidden className={icon} />, onAction: () => store.drop(chat.id) }
    : { id: 'pin', name: texts.pin, icon: <Pin aria-hidden className={icon} />, onAction: () => store.keep({ ...chat, folder: null }) };
  const folder = {
    id: 'folder',
    name: texts.toFolder,
    icon: <FolderInput aria-hidden className={icon} />,
    onAction: () => setOpen('folder'),
  };
  const entries = [
    { id: 'share', name: texts.share, icon: <Share2 aria-hidden className={icon} />, onAction: () => setOpen('share') },
    { id: 'rename', name: texts.rename, icon: <Pencil aria-hidden className={icon} />, onAction: () => setOpen('rename') },
    // The browser would keep the title of a temporary chat after the chat is deleted.
    ...(isTemporary ? [] : [pin, folder]),
    {
      id: 'delete',
      name: texts.deleteChat,
      icon: <Trash2 aria-hidden className={icon} />,
      isDanger: true,
      onAction: () => setOpen('delete'),
    },
  ];
  return (
    <>
      {isMenuOpen && <OpenedMenu label={actionsOf(chat.title)} entries={entries} trigger={trigger} onClose={onMenuClose} />}
      <Suspense>
        {open === 'share' && <ShareDialog chat={chat} onClose={close} />}
        {open === 'rename' && <RenameDialog chat={chat} onClose={close} />}
        {open === 'delete' && <DeleteDialog chat={chat} onClose={close} />}
        {open === 'folder' && <FolderDialog chat={chat} onClose={close} />}
      </Suspense>
    </>
  );
}
