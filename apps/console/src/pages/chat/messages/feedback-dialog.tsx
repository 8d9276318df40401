import type { Feedback } from '@parlance/client/types';
import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Select, TextField } from '../../../ui/fields/index.ts';

interface Props {
  readonly given: Feedback | undefined;
  readonly onSend: (reason: { readonly category: string; readonly comment?: string }) => Promise<void>;
  readonly onClose: () => void;
}

/** Why a reply is bad. */
export function FeedbackDialog({ given, onSend, onClose }: Props) {
  const { chat } = useMessages();
  const [category, setCategory] = useState(given?.category ?? 'incorrect');
  const [comment, setComment] = useState(given?.comment ?? '');
  const send = async () => {
    await onSend({ category, ...(comment.trim() !== '' && { comment: comment.trim() }) });
    onClose();
  };
  return (
    <FormDialog title={chat.feedbackTitle} onClose={onClose} submitLabel={chat.sendFeedback} onSubmit={send}>
      <Select
        label={chat.feedbackReason}
        value={category}
        onChange={setCategory}
        options={Object.entries(chat.feedbackReasons).map(([id, name]) => ({ id, name }))}
      />
      <TextField label={chat.feedbackComment} rows={3} maxLength={1_000} value={comment} onChange={setComment} help={chat.feedbackHelp} />
    </FormDialog>
  );
}
