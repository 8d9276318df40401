import type { MessageBody } from '@parlance/client/types';
import { useEffect, useRef, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { sendsMessage, TextField } from '../../../ui/fields/index.ts';
import { toastError } from '../../../ui/toasts.tsx';
import { contentOfEdit } from './content-of-edit.ts';
import { type FilePart, MessageFiles, type Place } from './message-files.tsx';

interface Props {
  readonly text: string;
  readonly files: readonly FilePart[];
  readonly place: Place;
  readonly isFirst: boolean;
  readonly onCancel: () => void;
  readonly onSend: (content: MessageBody['content']) => Promise<void>;
}

/** The form to edit a message and send it again, with its files. */
export function EditForm({ text, files, place, isFirst, onCancel, onSend }: Props) {
  const { common, chat } = useMessages();
  const [changed, setChanged] = useState(text);
  const [kept, setKept] = useState(() => files.filter(({ status }) => status !== 'removed'));
  const [isPending, setPending] = useState(false);
  /** False once the form is closed, which may happen while files are read. */
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  const isEmpty = changed.trim() === '' && kept.length === 0;
  const send = async () => {
    setPending(true);
    await contentOfEdit(changed.trim(), kept, place)
      .then((content) => (isOpen.current ? onSend(content) : undefined), toastError)
      .finally(() => setPending(false));
  };
  return (
    <form
      className="flex w-full flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <MessageFiles parts={kept} {...place} onRemove={(part) => setKept(kept.filter((each) => each !== part))} />
      <TextField
        label={chat.editMessage}
        rows={Math.min(12, Math.max(3, changed.split('\n').length))}
        value={changed}
        onChange={setChanged}
        autoFocus
        help={isFirst ? chat.editFirst : chat.editLater}
        onKeyDown={(event) => {
          if (sendsMessage(event)) {
            event.preventDefault();
            if (!isPending && !isEmpty) void send();
          }
          // Escape also cancels the composition of a word in Chinese, Japanese and Korean.
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) onCancel();
        }}
      />
      <div className="flex justify-end gap-2">
        <Button onPress={onCancel}>{common.cancel}</Button>
        <Button type="submit" look="primary" isPending={isPending} isDisabled={isEmpty}>
          {chat.send}
        </Button>
      </div>
    </form>
  );
}
