import { useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { useChatActionMessages } from '../../../messages/chat-action-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { keepName } from '../live/new-chat-names.ts';
import type { ListedChat } from './listed-chat.ts';

export function RenameDialog({ chat, onClose }: { readonly chat: ListedChat; readonly onClose: () => void }) {
  const { common } = useMessages();
  const texts = useChatActionMessages();
  const [title, setTitle] = useState(chat.title);
  const save = async () => {
    keepName(chat.id);
    await parlance.conversations.setTitle(chat.id, title.trim());
    void queryClient.invalidateQueries({ queryKey: ['chats'] });
    void queryClient.invalidateQueries({ queryKey: ['conversation', chat.id] });
    toast(texts.renamed);
    onClose();
  };
  const propose = () => void parlance.conversations.proposedTitle(chat.id).then(setTitle, toastError);
  return (
    <FormDialog title={texts.rename} onClose={onClose} submitLabel={common.save} onSubmit={save} isDisabled={title.trim() === ''}>
      {({ errorOf }) => (
        <>
          <TextField label={texts.title} value={title} onChange={setTitle} maxLength={200} error={errorOf('title')} isRequired autoFocus />
          <Button look="quiet" className="self-start" onPress={propose}>
            {texts.proposeTitle}
          </Button>
        </>
      )}
    </FormDialog>
  );
}
