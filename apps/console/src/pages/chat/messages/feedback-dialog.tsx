import type { Feedback } from '@parlance/client/types';
import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Select, TextField } from '../../../ui/fields/index.ts';
import { ErrorNote } from '../../../ui/states.tsx';
import { useSending } from '../../../ui/use-sending.ts';

interface Props {
  readonly given: Feedback | undefined;
  readonly onSend: (reason: { readonly category: string; readonly comment?: string }) => Promise<void>;
  readonly onClose: () => void;
}

/** Why a reply is bad. */
export function FeedbackDialog({ given, onSend, onClose }: Props) {
  const { chat } = useMessages();
  const { isPending, error, send } = useSending(async () => {
    await onSend({ category, ...(comment.trim() !== '' && { comment: comment.trim() }) });
    onClose();
  });
  const [category, setCategory] = useState(given?.category ?? 'incorrect');
  const [comment, setComment] = useState(given?.comment ?? '');

  return (
    <Dialog
      title={chat.feedbackTitle}
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" isPending={isPending} onPress={() => send()}>
          {chat.sendFeedback}
        </Button>
      }
    >
      <Select
        label={chat.feedbackReason}
        value={category}
        onChange={setCategory}
        options={Object.entries(chat.feedbackReasons).map(([id, name]) => ({ id, name }))}
      />
      <TextField label={chat.feedbackComment} rows={3} maxLength={1_000} value={comment} onChange={setComment} help={chat.feedbackHelp} />
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}
