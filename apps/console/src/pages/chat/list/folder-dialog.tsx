import { useState } from 'react';
import { useChatActionMessages } from '../../../messages/chat-action-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { LONGEST_FOLDER, type NamedChat } from './kept-chats.ts';
import { useKeptChats, useKeptStore } from './use-kept-chats.ts';

/** Puts a chat into a folder of this browser. */
export function FolderDialog({ chat, onClose }: { readonly chat: NamedChat; readonly onClose: () => void }) {
  const {
    common,
    chat: { keptHere },
  } = useMessages();
  const texts = useChatActionMessages();
  const store = useKeptStore();
  const kept = useKeptChats();
  const place = kept.find(({ id }) => id === chat.id)?.folder ?? null;
  const folders = [...new Set(kept.flatMap(({ folder }) => (folder === null ? [] : [folder])))].toSorted();
  const [name, setName] = useState(place ?? '');
  const keep = (folder: string) => {
    store.keep({ ...chat, folder });
    onClose();
  };
  return (
    <Dialog title={texts.toFolder} isOpen onClose={onClose}>
      {folders.length > 0 && (
        <ul aria-label={texts.folders} className="flex flex-wrap gap-2">
          {folders.map((folder) => (
            <li key={folder} className="max-w-full">
              <Button size="small" className="max-w-full" isDisabled={folder === place} onPress={() => keep(folder)}>
                <span className="truncate">{folder}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') keep(name);
        }}
      >
        <TextField label={texts.folder} value={name} onChange={setName} maxLength={LONGEST_FOLDER} help={keptHere} autoFocus />
        <div className="flex flex-wrap justify-end gap-2">
          {place !== null && (
            <Button
              onPress={() => {
                store.drop(chat.id);
                onClose();
              }}
            >
              {texts.outOfFolder}
            </Button>
          )}
          <Button type="submit" look="primary" isDisabled={name.trim() === ''}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
