import { Brain, Download, FolderInput, Pencil, Pin, PinOff, Printer, Share2, Trash2 } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type RefObject, Suspense, useState } from 'react';
import { useChatActionMessages } from '../../../messages/chat-action-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { OpenedMenu } from '../../../ui/opened-menu.tsx';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { memorySettingsQuery } from '../../account/memory/memory-queries.ts';
import type { ListedChat } from './listed-chat.ts';
import { pinChat, turnMemory } from '../../projects/project-queries.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const ShareDialog = lazyPart(() => import('../../shares/share-dialog.tsx'), 'ShareDialog');
const RenameDialog = lazyPart(() => import('./rename-dialog.tsx'), 'RenameDialog');
const DeleteDialog = lazyPart(() => import('./delete-dialog.tsx'), 'DeleteDialog');
const ProjectDialog = lazyPart(() => import('./project-dialog.tsx'), 'ProjectDialog');

interface ChatActionsProps {
  readonly chat: ListedChat;
  readonly isTemporary: boolean;
  readonly isMenuOpen: boolean;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onMenuClose: () => void;
}

/** The menu of a chat and its dialogs. Loaded when such a menu is first opened. */
export function ChatActions({ chat, isTemporary, isMenuOpen, trigger, onMenuClose }: ChatActionsProps) {
  const { actionsOf } = useMessages().chat;
  const texts = useChatActionMessages();
  const [open, setOpen] = useState<'share' | 'rename' | 'project' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const isShown = useRouterState({ select: ({ location }) => location.pathname.endsWith(`/c/${chat.id}`) });
  const icon = 'size-4';
  const pinIcon = chat.isPinned ? <PinOff aria-hidden className={icon} /> : <Pin aria-hidden className={icon} />;
  const pin = {
    id: 'pin',
    name: chat.isPinned ? texts.unpin : texts.pin,
    icon: pinIcon,
    onAction: () => void pinChat(chat.id, !chat.isPinned).catch(toastError),
  };
  const settings = useQuery({ ...memorySettingsQuery, enabled: isMenuOpen });
  const memory = {
    id: 'memory',
    name: chat.hasMemory ? texts.memoryOff : texts.memoryOn,
    icon: <Brain aria-hidden className={icon} />,
    onAction: () =>
      void turnMemory(chat.id, !chat.hasMemory)
        .then(() => toast(chat.hasMemory ? texts.memoryTurnedOff : texts.memoryTurnedOn))
        .catch(toastError),
  };
  const project = {
    id: 'project',
    name: texts.toProject,
    icon: <FolderInput aria-hidden className={icon} />,
    onAction: () => setOpen('project'),
  };
  const print = {
    id: 'print',
    name: texts.print,
    icon: <Printer aria-hidden className={icon} />,
    onAction: () => void import('../export/print-chat.ts').then((its) => its.printChat(chat.id)).catch(toastError),
  };
  const entries = [
    { id: 'share', name: texts.share, icon: <Share2 aria-hidden className={icon} />, onAction: () => setOpen('share') },
    { id: 'rename', name: texts.rename, icon: <Pencil aria-hidden className={icon} />, onAction: () => setOpen('rename') },
    ...(isTemporary ? [] : [pin, project]),
    ...(settings.data?.enabled && settings.data.allowed ? [memory] : []),
    {
      id: 'download',
      name: texts.download,
      icon: <Download aria-hidden className={icon} />,
      onAction: () => void import('../export/export-chat.ts').then((its) => its.exportChat(chat.id, chat.title)).catch(toastError),
    },
    ...(isShown ? [print] : []),
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
        {open === 'project' && <ProjectDialog chat={chat} onClose={close} />}
      </Suspense>
    </>
  );
}
