import { useState } from 'react';
import { fieldErrors, queryClient } from '../../../api/query-client.ts';
import { useChatActionMessages } from '../../../messages/chat-action-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { ErrorNote } from '../../../ui/states.tsx';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { keepName } from '../live/new-chat-names.ts';
import type { NamedChat } from './kept-chats.ts';

export function RenameDialog({ chat, onClose }: { readonly chat: NamedChat; readonly onClose: () => void }) {
  const { common } = useMessages();
  const texts = useChatActionMessages();
  const [title, setTitle] = useState(chat.title);
  const {
    isPending,
    error,
    send: save,
  } = useSending(async () => {
    keepName(chat.id);
    await parlance.conversations.setTitle(chat.id, title.trim());
    void queryClient.invalidateQueries({ queryKey: ['chats'] });
    void queryClient.invalidateQueries({ queryKey: ['conversation', chat.id] });
    toast(texts.renamed);
    onClose();
  });
  const field = fieldErrors(error)['title'];
  const propose = () => void parlance.conversations.proposedTitle(chat.id).then(setTitle, toastError);
  return (
    <Dialog title={texts.rename} isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField label={texts.title} value={title} onChange={setTitle} maxLength={200} error={field} isRequired autoFocus />
        {error !== null && field === undefined && <ErrorNote error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" onPress={propose}>
            {texts.proposeTitle}
          </Button>
          <Button type="submit" look="primary" isPending={isPending} isDisabled={title.trim() === ''}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
