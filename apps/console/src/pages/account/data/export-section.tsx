import { ParlanceError } from '@parlance/client';
import type { FetchedOwnExport } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadFrom } from '../../../api/save-file.ts';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/format.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';

/** An export takes seconds to hours. */
const POLL_MILLIS = 3_000;
const RUNNING: ReadonlySet<string> = new Set(['waiting', 'writing']);

const exportQuery = {
  queryKey: ['own-export'],
  queryFn: () =>
    parlance.api.get('/user/me/export').catch((error: unknown) => {
      if (error instanceof ParlanceError && error.code === 'export_not_found') return null;
      throw error;
    }),
};

/** The user's latest data export: its progress, its download, and when its file is removed. */
export function ExportSection() {
  const { data: texts } = useAccountMessages();
  const cache = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const query = useQuery({
    ...exportQuery,
    refetchInterval: ({ state: { data } }) => (data && RUNNING.has(data.status) ? POLL_MILLIS : false),
  });
  const read = () => cache.invalidateQueries({ queryKey: exportQuery.queryKey });
  const request = useSending(async () => {
    try {
      await parlance.api.post('/user/me/export');
      toast(texts.requested);
    } finally {
      await read();
    }
  });
  // Requested only now, because the address expires with the export.
  const download = useSending(async () => {
    const url = (await exportQuery.queryFn())?.url ?? null;
    if (url !== null) return downloadFrom(url);
    await read();
    throw new Error(texts.gone);
  });
  const remove = async (exportId: string) => {
    await parlance.api.delete('/user/me/exports/{exportId}', { path: { exportId } }).catch((failure: unknown) => {
      if (!(failure instanceof ParlanceError && failure.code === 'export_not_found')) throw failure;
    });
    await read();
    toast(texts.exportRemoved);
  };
  const error = request.error ?? download.error;
  return (
    <Section title={texts.exportTitle} description={texts.exportText}>
      <Loaded query={query}>
        {(last) => (
          <>
            <State last={last} />
            {error !== null && <ErrorNote error={error} />}
            <div className="flex flex-wrap gap-2">
              {last?.status === 'ready' && (
                <Button
                  look="primary"
                  isPending={download.isPending}
                  onPress={() => {
                    request.forgetError();
                    download.send();
                  }}
                >
                  <Download aria-hidden className="size-4" />
                  {texts.download}
                </Button>
              )}
              {last !== null && <Button onPress={() => setRemoving(true)}>{RUNNING.has(last.status) ? texts.giveUp : texts.removeExport}</Button>}
              {(last === null || !RUNNING.has(last.status)) && (
                <Button
                  isPending={request.isPending}
                  onPress={() => {
                    download.forgetError();
                    request.send();
                  }}
                >
                  {last === null ? texts.request : texts.requestAgain}
                </Button>
              )}
            </div>
            {last !== null && (
              <ConfirmDialog
                title={texts.removeTitle}
                text={texts.removeText}
                confirmLabel={texts.removeExport}
                isOpen={isRemoving}
                onClose={() => setRemoving(false)}
                onConfirm={() => remove(last.export_id)}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function State({ last }: { readonly last: FetchedOwnExport | null }) {
  const { data: texts } = useAccountMessages();
  return (
    <>
      <div role="status" className="flex flex-col gap-1 text-sm">
        <p>{last === null ? texts.noExport : <Progress its={last} />}</p>
        {last?.requested_by === 'admin' && <p className="text-muted">{texts.byAdmin}</p>}
      </div>
      {last?.status === 'ready' && (
        <>
          <Facts
            facts={[
              [texts.requestedAt, formatTime(last.create_time)],
              [texts.conversations, formatNumber(last.conversations)],
              [texts.size, last.bytes !== null && formatBytes(last.bytes)],
              [texts.removedAt, last.expires_at !== null && formatTime(last.expires_at)],
            ]}
          />
          <p className="text-sm text-muted">
            {texts.secret} {texts.replaces}
          </p>
        </>
      )}
    </>
  );
}

function Progress({ its: { status, conversations, total_conversations } }: { readonly its: FetchedOwnExport }) {
  const { data: texts } = useAccountMessages();
  if (status !== 'writing') return texts[status];
  return total_conversations === null ? texts.begun : texts.writing(formatNumber(conversations), formatNumber(total_conversations));
}
