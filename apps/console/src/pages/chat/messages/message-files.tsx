import type { SharedPart } from '@parlance/client/types';
import { ParlanceError } from '@parlance/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { FileText, FileX, ImageIcon, X } from 'lucide-react';
import { useState } from 'react';
import { formatBytes } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { currentSession } from '../../../session/session-state.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { useObjectUrl } from './use-object-url.ts';

/** Has a status if a retention rule has removed the file. */
export type FilePart = Extract<SharedPart, { content_type: 'image' | 'attachment' }> & { readonly status?: 'removed' };

export interface Place {
  /** The parts of the path of the files. */
  readonly folder: readonly string[];
}

async function fileOf({ folder }: Place, fileId: string): Promise<Blob> {
  const path = [...folder, fileId].map(encodeURIComponent).join('/');
  // Files of a shared chat may be public.
  const headers = currentSession() === 'signed-out' ? {} : await parlance.session.headers();
  const answer = await fetch(`/${path}`, { headers });
  if (!answer.ok) throw await ParlanceError.of(answer);
  return answer.blob();
}

export const fileQuery = (place: Place, fileId: string) =>
  queryOptions({ queryKey: ['file', ...place.folder, fileId], queryFn: () => fileOf(place, fileId), staleTime: Infinity });

interface Props extends Place {
  readonly parts: readonly FilePart[];
  /** Whether a reply has made them. */
  readonly isMade?: boolean;
  /** While the message is edited, each file has a button to remove it. */
  readonly onRemove?: (part: FilePart) => void;
}

/** The images and attachments of a message. */
export function MessageFiles({ parts, isMade = false, onRemove, ...place }: Props) {
  const { chat } = useMessages();
  if (parts.length === 0) return null;
  return (
    <ul className={`mb-2 flex flex-wrap gap-2 ${isMade ? 'mt-2' : 'justify-end'}`}>
      {parts.map((part, index) => (
        <li key={part.file_id || index} className="flex max-w-full items-start">
          {part.status === 'removed' ? (
            <RemovedFile part={part} />
          ) : part.content_type === 'image' ? (
            <SentImage part={part} isMade={isMade} {...place} />
          ) : (
            <SentFile part={part} {...place} />
          )}
          {onRemove && (
            <IconButton
              label={chat.removeFile(part.content_type === 'attachment' ? part.file_name : chat.nthImage(index + 1))}
              onPress={() => onRemove(part)}
            >
              <X aria-hidden className="size-4" />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function RemovedFile({ part }: { readonly part: FilePart }) {
  const { chat } = useMessages();
  return (
    <span className="flex max-w-full items-center gap-2 rounded-md border border-line px-3 py-2 text-xs text-muted">
      <FileX aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 truncate">{part.content_type === 'attachment' ? part.file_name : chat.image}</span>
      <span className="shrink-0">{chat.fileRemoved}</span>
    </span>
  );
}

function SentImage({ part, isMade, ...place }: Place & { readonly part: FilePart; readonly isMade: boolean }) {
  const { chat } = useMessages();
  const { data: blob, error } = useQuery({ ...fileQuery(place, part.file_id), enabled: part.file_id !== '' });
  const url = useObjectUrl(blob);
  // The file was removed after the message was read.
  if (error instanceof ParlanceError && error.code === 'file_removed') return <RemovedFile part={part} />;
  if (url !== null)
    return <img src={url} alt={isMade ? chat.image : chat.sentImage} className="max-h-64 max-w-full rounded-md border border-line" />;
  return (
    <span className="flex items-center gap-2 rounded-md border border-line px-3 py-2 text-xs text-muted">
      <ImageIcon aria-hidden className="size-4" />
      {chat.image} · {formatBytes(part.size)}
    </span>
  );
}

function SentFile({ part, ...place }: Place & { readonly part: FilePart }) {
  const { chat } = useMessages();
  const [isPending, setPending] = useState(false);
  const name = part.content_type === 'attachment' ? part.file_name : chat.image;
  const save = async () => {
    setPending(true);
    try {
      const url = URL.createObjectURL(await fileOf(place, part.file_id));
      const link = Object.assign(document.createElement('a'), { href: url, download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 0);
    } catch (error) {
      toastError(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button size="small" isPending={isPending} isDisabled={part.file_id === ''} onPress={() => void save()} className="max-w-full">
      <FileText aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">{chat.download} </span>
      <span className="min-w-0 truncate">{name}</span>
      <span className="text-muted">{formatBytes(part.size)}</span>
    </Button>
  );
}
