import type { ContentPart, Message, MessageBody } from '@parlance/client/types';
import { Pencil } from 'lucide-react';
import { lazy, memo, Suspense, useRef, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CopyIcon } from '../../../ui/copy-button.tsx';
import { isUnsent, type Turn } from '../conversation/message-tree.ts';
import { BranchSwitch } from './branch-switch.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

// Not without the files: they would be sent, or shown, unseen.
export const MessageFiles = lazy(async () => ({ default: (await import('./message-files.tsx')).MessageFiles }));
const EditForm = lazyPart(() => import('./edit-form.tsx'), 'EditForm');

interface Props {
  readonly conversationId: string;
  readonly turn: Turn;
  readonly onShow: (messageId: string) => void;
  /** Sends edited content in place of this message. Resolves with false if it was not sent. */
  readonly onEdit: (message: Message, content: MessageBody['content']) => Promise<boolean>;
}

export const typedText = (content: readonly ContentPart[]): string =>
  content.flatMap((part) => (part.content_type === 'text' ? [part.body] : [])).join('\n');

export const UserMessage = memo(function UserMessage({ conversationId, turn, onShow, onEdit }: Props) {
  const { chat } = useMessages();
  const { message } = turn;
  const [edited, setEdited] = useState<string | null>(null);
  const article = useRef<HTMLElement>(null);
  const isEditing = edited === message.message_id;
  const setEditing = (isOpen: boolean) => {
    setEdited(isOpen ? message.message_id : null);
    if (!isOpen) article.current?.focus();
  };
  const text = typedText(message.content);
  const files = message.content.flatMap((part) => (part.content_type === 'image' || part.content_type === 'attachment' ? [part] : []));
  const place = { folder: ['conversation', conversationId, message.message_id, 'files'] };
  return (
    <article ref={article} tabIndex={-1} className="flex flex-col items-end">
      <h2 className="sr-only">{chat.youWrote}</h2>
      {!isEditing && files.length > 0 && (
        <Suspense>
          <MessageFiles parts={files} {...place} />
        </Suspense>
      )}
      {isEditing ? (
        <Suspense>
          <EditForm
            text={text}
            files={files}
            place={place}
            isFirst={message.parent === null}
            onCancel={() => setEditing(false)}
            onSend={async (changed) => {
              if (await onEdit(message, changed)) setEditing(false);
            }}
          />
        </Suspense>
      ) : (
        text !== '' && (
          <p className="max-w-[85%] rounded-md bg-surface px-4 py-2.5 break-words whitespace-pre-wrap" dir="auto">
            {text}
          </p>
        )
      )}
      {!isEditing && (
        <div className="flex flex-wrap items-center justify-end gap-0.5 pt-0.5 print:hidden">
          <BranchSwitch turn={turn} onShow={onShow} />
          {text !== '' && <CopyIcon text={text} />}
          {!isUnsent(message.message_id) && (
            <IconButton label={chat.editMessage} onPress={() => setEditing(true)}>
              <Pencil aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
      )}
    </article>
  );
});
