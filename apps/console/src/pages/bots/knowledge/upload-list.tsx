import { RotateCcw, X } from 'lucide-react';
import { ProgressBar } from 'react-aria-components';
import { formatBytes } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { isRunning, type Upload, type Uploads } from './uploads.ts';

/** More rows than this are not shown. */
const ROWS = 50;

export function UploadList({ uploads, queue }: { readonly uploads: readonly Upload[]; readonly queue: Uploads }) {
  const { knowledge } = useMessages().bots;
  if (uploads.length === 0) return null;
  const isSending = uploads.some(isRunning);
  // Uploads that need attention come first.
  const order = { failed: 0, sending: 1, waiting: 2, sent: 3 };
  const rows = uploads.toSorted((a, b) => order[a.state] - order[b.state]).slice(0, ROWS);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        <h3 className="text-sm font-semibold">{knowledge.uploads}</h3>
        {!isSending && (
          <Button size="small" look="quiet" onPress={() => queue.clear()}>
            {knowledge.clearUploads}
          </Button>
        )}
      </div>
      <ul aria-label={knowledge.uploads} aria-live="polite" className="flex flex-col rounded-md border border-line">
        {rows.map(({ id, file, state, sentBytes, reason }) => (
          <li key={id} className="flex items-center gap-3 border-b border-line py-1.5 ps-3 pe-1 last:border-0">
            <div className="min-w-0 grow">
              <p className="text-sm">{file.name}</p>
              {reason !== '' && <p className="text-xs text-bad">{reason}</p>}
              {state === 'sending' && (
                <ProgressBar
                  aria-label={knowledge.uploadProgress(file.name)}
                  value={file.size === 0 ? 100 : (sentBytes / file.size) * 100}
                  className="mt-1"
                >
                  {({ percentage }) => (
                    <span className="block h-1.5 overflow-hidden rounded-full bg-surface">
                      <span className="block h-full bg-accent" style={{ width: `${percentage ?? 0}%` }} />
                    </span>
                  )}
                </ProgressBar>
              )}
            </div>
            <span className={`shrink-0 text-xs ${state === 'failed' ? 'text-bad' : 'text-muted'}`}>
              {formatBytes(file.size)} · {knowledge.uploadStates[state]}
            </span>
            {state === 'failed' && (
              <IconButton label={knowledge.retryUpload(file.name)} onPress={() => queue.retry(id)}>
                <RotateCcw aria-hidden className="size-4" />
              </IconButton>
            )}
            {state !== 'sent' && (
              <IconButton label={knowledge.cancelUpload(file.name)} onPress={() => queue.remove(id)}>
                <X aria-hidden className="size-4" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
