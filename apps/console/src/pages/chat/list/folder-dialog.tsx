import { useState } from 'react';
import { useChatActionMessages } from '../../../messages/chat-action-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { LONGEST_FOLDER, type NamedChat } from './kept-chats.ts';
import { useKeptChats, useKeptStore } from './use-kept-chats.ts';

/** Moves a chat to a folder that is kept in this browser. */
export function FolderDialog({ chat, onClose }: { readonly chat: NamedChat; readonly onClose: () => void }) {
  const {
    common,
    chat: { keptHere },
  } = useMessages();
  const texts = useChatActionMessages();
  const store = useKeptStore();
  const kept = useKeptChats();
  const currentFolder = kept.find(({ id }) => id === chat.id)?.folder ?? null;
  const folders = [...new Set(kept.flatMap(({ folder }) => (folder === null ? [] : [folder])))].toSorted();
  const [name, setName] = useState(currentFolder ?? '');
  const keep = (folder: string) => {
    store.keep({ ...chat, folder });
    onClose();
  };
  return (
    <FormDialog
      title={texts.toFolder}
      onClose={onClose}
      submitLabel={common.save}
      onSubmit={async () => keep(name)}
      isDisabled={name.trim() === ''}
    >
      {folders.length > 0 && (
        <ul aria-label={texts.folders} className="flex flex-wrap gap-2">
          {folders.map((folder) => (
            <li key={folder} className="max-w-full">
              <Button size="small" className="max-w-full" isDisabled={folder === currentFolder} onPress={() => keep(folder)}>
                <span className="truncate">{folder}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <TextField label={texts.folder} value={name} onChange={setName} maxLength={LONGEST_FOLDER} help={keptHere} autoFocus />
      {currentFolder !== null && (
        <Button
          className="self-start"
          onPress={() => {
            store.drop(chat.id);
            onClose();
          }}
        >
          {texts.outOfFolder}
        </Button>
      )}
    </FormDialog>
  );
}
