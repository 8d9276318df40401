import { useNavigate, useRouterState } from '@tanstack/react-router';
import { queryClient } from '../../../api/query-client.ts';
import { useChatActionMessages } from '../../../messages/chat-action-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';
import type { ListedChat } from './listed-chat.ts';

export function DeleteDialog({ chat, onClose }: { readonly chat: ListedChat; readonly onClose: () => void }) {
  const texts = useChatActionMessages();
  const remove = useDelete(chat);
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      text={texts.deleteText(chat.title)}
      confirmLabel={texts.deleteChat}
      isOpen
      onClose={onClose}
      onConfirm={remove}
    />
  );
}

function useDelete({ id, title }: ListedChat) {
  const texts = useChatActionMessages();
  const navigate = useNavigate();
  const isOpen = useRouterState({ select: ({ location }) => location.pathname.endsWith(`/c/${id}`) });
  return async () => {
    const { removed } = await parlance.conversations.delete(id);
    if (isOpen) await navigate({ to: '/' });
    queryClient.removeQueries({ queryKey: ['conversation', id] });
    await queryClient.invalidateQueries({ queryKey: ['chats'] });
    toast(texts.deleted(title, removed.messages));
  };
}
