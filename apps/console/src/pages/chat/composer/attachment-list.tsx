import { FileText, X } from 'lucide-react';
import { formatBytes } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { useObjectUrl } from '../messages/use-object-url.ts';
import type { Attachment } from './attachments.ts';

/** The files that will be sent with the message. */
export function AttachmentList({
  attachments,
  onRemove,
}: {
  readonly attachments: readonly Attachment[];
  readonly onRemove: (id: number) => void;
}) {
  const { chat } = useMessages();
  return (
    <ul aria-label={chat.attachments} className="flex flex-wrap gap-2 px-3 pt-3">
      {attachments.map((attachment) => (
        <li key={attachment.id} className="flex max-w-64 items-center gap-2 rounded-sm border border-line bg-surface ps-2 text-xs">
          <Preview attachment={attachment} />
          <span className="min-w-0">
            <span className="block truncate">{attachment.file.name}</span>
            <span className="block text-muted">{formatBytes(attachment.file.size)}</span>
          </span>
          <IconButton label={chat.removeFile(attachment.file.name)} onPress={() => onRemove(attachment.id)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function Preview({ attachment: { file, kind } }: { readonly attachment: Attachment }) {
  const url = useObjectUrl(kind === 'image' ? file : undefined);
  if (url !== null) return <img src={url} alt="" className="size-9 shrink-0 rounded-[5px] object-cover" />;
  return <FileText aria-hidden className="size-5 shrink-0 text-muted" />;
}
