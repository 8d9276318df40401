import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/index.ts';

interface Props {
  readonly text: string;
  readonly isFirst: boolean;
  readonly hasFiles: boolean;
  readonly onCancel: () => void;
  readonly onSend: (text: string) => Promise<void>;
}

/** A message that is changed and sent again. */
export function EditForm({ text, isFirst, hasFiles, onCancel, onSend }: Props) {
  const { common, chat } = useMessages();
  const [changed, setChanged] = useState(text);
  const [isPending, setPending] = useState(false);
  const send = async () => {
    setPending(true);
    await onSend(changed.trim()).finally(() => setPending(false));
  };
  return (
    <form
      className="flex w-full flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        label={chat.editMessage}
        rows={Math.min(12, Math.max(3, changed.split('\n').length))}
        value={changed}
        onChange={setChanged}
        autoFocus
        help={[isFirst ? chat.editFirst : chat.editLater, hasFiles ? chat.editWithoutFiles : ''].filter(Boolean).join(' ')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
        }}
      />
      <div className="flex justify-end gap-2">
        <Button onPress={onCancel}>{common.cancel}</Button>
        <Button type="submit" look="primary" isPending={isPending} isDisabled={changed.trim() === ''}>
          {chat.send}
        </Button>
      </div>
    </form>
  );
}
