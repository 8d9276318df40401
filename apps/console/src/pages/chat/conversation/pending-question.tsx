import type { MessageBody } from '@parlance/client/types';
import { Paperclip } from 'lucide-react';
import { useMessages } from '../../../messages/index.ts';

/** A message that is being sent. */
export function PendingQuestion({ content }: { readonly content: MessageBody['content'] }) {
  const { chat } = useMessages();
  const text = content.flatMap((part) => (part.content_type === 'text' ? [part.body] : [])).join('\n');
  const files = content.length - content.filter((part) => part.content_type === 'text').length;
  return (
    <div className="flex flex-col items-end gap-1 opacity-70">
      {files > 0 && (
        <p className="flex items-center gap-2 text-xs text-muted">
          <Paperclip aria-hidden className="size-4" />
          {chat.files(files)}
        </p>
      )}
      {text !== '' && (
        <p className="max-w-[85%] rounded-md bg-surface px-4 py-2.5 whitespace-pre-wrap" dir="auto">
          {text}
        </p>
      )}
      <p role="status" className="text-xs text-muted">
        {chat.sending}
      </p>
    </div>
  );
}
