import type { MemoryEntry } from '@parlance/client/types';
import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { useMemoryMessages } from '../../../messages/memory-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { toast } from '../../../ui/toasts.tsx';
import { memoryChanged } from './memory-queries.ts';

const MAX_TEXT = 500;

interface EntryDialogProps {
  /** The entry that is changed. Null for a new one. */
  readonly entry: MemoryEntry | null;
  readonly onClose: () => void;
}

/** Adds an entry to the memory, or changes its text. */
export function EntryDialog({ entry, onClose }: EntryDialogProps) {
  const { common } = useMessages();
  const texts = useMemoryMessages();
  const [text, setText] = useState(entry?.text ?? '');
  const save = async () => {
    const body = { text: text.trim() };
    if (entry === null) await parlance.api.post('/user/me/memories', { body });
    else await parlance.api.patch('/user/me/memories/{memoryId}', { path: { memoryId: entry.memory_id }, body });
    await memoryChanged();
    toast(texts.saved);
    onClose();
  };
  return (
    <FormDialog
      title={entry === null ? texts.add : texts.change}
      onClose={onClose}
      submitLabel={common.save}
      onSubmit={save}
      isDisabled={text.trim() === ''}
    >
      {({ errorOf }) => (
        <TextField
          label={texts.entry}
          help={texts.entryHelp}
          value={text}
          onChange={setText}
          rows={3}
          maxLength={MAX_TEXT}
          error={errorOf('text')}
          isRequired
          autoFocus
        />
      )}
    </FormDialog>
  );
}
