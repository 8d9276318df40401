import type { PrivateBot } from '@parlance/client/types';
import { FileText, Trash2, Upload as UploadIcon } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import { queryClient } from '../../../api/query-client.ts';
import { formatNumber } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { SearchField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { errorText } from '../../../api/error-text.ts';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { focusAfterDialog } from '../../../ui/dialogs/after-dialog.ts';
import { UnsavedGuard } from '../editor/unsaved-guard.tsx';
import { botChanged, privateBotQuery, syncQuery } from '../bot-queries.ts';
import { sendWithProgress } from './send-with-progress.ts';
import { UploadList } from './upload-list.tsx';
import { isRunning, type Upload, Uploads } from './uploads.ts';

/** Files shown at first, and with each further step. */
const ROWS = 100;
const SEARCHABLE = 10;

export function FilesSection({ bot }: { readonly bot: PrivateBot }) {
  const { common, bots } = useMessages();
  const { knowledge } = bots;
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [text, setText] = useState('');
  const [shown, setShown] = useState(ROWS);
  const [removed, setRemoved] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const queue = useUploads(bot.id, setUploads);
  const { filenames } = bot.knowledge;
  const found = useMemo(() => filenames.filter((name) => name.toLowerCase().includes(text.trim().toLowerCase())), [filenames, text]);

  const remove = async (name: string) => {
    botChanged(await parlance.bots.change(bot.id, { knowledge: { deleted_filenames: [name] } }));
    toast(knowledge.removed);
    focusAfterDialog(list.current);
  };

  return (
    <Section title={knowledge.files} description={knowledge.filesText}>
      <DropZone
        aria-label={knowledge.drop}
        getDropOperation={() => 'copy'}
        onDrop={async ({ items }) => {
          const files = items.filter((item) => item.kind === 'file').map((item) => item.getFile());
          queue.add(await Promise.all(files));
        }}
        className="flex flex-wrap items-center justify-center gap-3 rounded-md border border-dashed border-control p-5 data-[drop-target]:border-accent data-[drop-target]:bg-accent-soft"
      >
        <span className="text-sm text-muted">{knowledge.drop}</span>
        <FileTrigger allowsMultiple onSelect={(files) => queue.add([...(files ?? [])])}>
          <Button>
            <UploadIcon aria-hidden className="size-4" />
            {knowledge.choose}
          </Button>
        </FileTrigger>
      </DropZone>
      <UploadList uploads={uploads} queue={queue} />
      <UnsavedGuard
        isDirty={uploads.some(isRunning)}
        texts={{ title: knowledge.leaveTitle, text: knowledge.leaveText, confirm: knowledge.leave }}
      />
      {filenames.length > SEARCHABLE && <SearchField label={knowledge.findFile} value={text} onChange={setText} className="max-w-md" />}
      <div ref={list} tabIndex={-1} className="outline-none">
        {filenames.length === 0 && uploads.length === 0 && <p className="text-sm text-muted">{knowledge.noFiles}</p>}
        {filenames.length > 0 && found.length === 0 && <p className="text-sm text-muted">{knowledge.noFileFound}</p>}
        {found.length > 0 && (
          <ul aria-label={knowledge.fileList} className="flex flex-col rounded-md border border-line">
            {found.slice(0, shown).map((name) => (
              <li key={name} className="flex items-center gap-2 border-b border-line py-0.5 ps-3 pe-1 last:border-0">
                <FileText aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="min-w-0 grow text-sm">{name}</span>
                <IconButton label={knowledge.removeFile(name)} onPress={() => setRemoved(name)}>
                  <Trash2 aria-hidden className="size-4" />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
      </div>
      {found.length > shown && (
        <Button size="small" className="self-start" onPress={() => setShown(shown + ROWS)}>
          {knowledge.showMore(formatNumber(found.length - shown))}
        </Button>
      )}
      <ConfirmDialog
        title={knowledge.removeTitle}
        text={knowledge.removeText(removed ?? '')}
        confirmLabel={common.remove}
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        onConfirm={() => (removed === null ? undefined : remove(removed))}
      />
    </Section>
  );
}

/** Uploads to a bot. Files with new names are added to it. If all names are known, its sources are read again. */
function useUploads(botId: string, onChange: (uploads: readonly Upload[]) => void): Uploads {
  const { knowledge } = useMessages().bots;
  const [queue] = useState(
    () =>
      new Uploads({
        send: (file, onProgress, signal) => sendWithProgress({ botId, file, onProgress, signal }),
        onChange,
        reasonOf: errorText,
        onSent: async (names) => {
          try {
            const known = new Set(queryClient.getQueryData(privateBotQuery(botId).queryKey)?.knowledge.filenames);
            if (names.every((name) => known.has(name))) {
              const run = await parlance.api.post('/bot/{botId}/knowledge/sync', { path: { botId } });
              queryClient.setQueryData(syncQuery(botId).queryKey, run);
            } else botChanged(await parlance.bots.change(botId, { knowledge: { added_filenames: [...names] } }));
            toast(knowledge.uploaded);
          } catch (error) {
            toastError(error);
          }
        },
      }),
  );
  useEffect(() => () => queue.stop(), [queue]);
  return queue;
}
