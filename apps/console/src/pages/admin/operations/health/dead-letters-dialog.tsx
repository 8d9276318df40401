import type { DeadLetter, ServiceHealth } from '@parlance/client/types';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { toast } from '../../../../ui/toasts.tsx';

/** Events that a service has given up on. */
export function DeadLettersDialog({ service, onClose }: { readonly service: ServiceHealth['name']; readonly onClose: () => void }) {
  const { health } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  /** The letter whose redelivery must be confirmed: null for all letters, undefined for none. */
  const [toConfirm, setToConfirm] = useState<DeadLetter | null | undefined>(undefined);
  const query = useInfiniteQuery({
    queryKey: ['admin', 'health', 'dead-letters', service],
    queryFn: ({ pageParam, signal }) =>
      parlance.api.get('/admin/health/dead-letters', { query: { service, limit: 100, next_token: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_token }) => next_token ?? undefined,
  });
  const redrive = async () => {
    const { redriven } = await parlance.admin.redriveDeadLetters({ service, ...(toConfirm && { ids: [toConfirm.id] }) });
    toast(health.redriven(redriven));
    await client.invalidateQueries({ queryKey: ['admin', 'health'] });
  };
  const columns: readonly Column<DeadLetter>[] = [
    { id: 'event', name: health.event, cell: ({ event_type }) => <code className="text-xs whitespace-nowrap">{event_type}</code> },
    { id: 'subject', name: health.subject, cell: ({ subject }) => <code className="text-xs whitespace-nowrap">{subject}</code> },
    { id: 'failed', name: health.failedAt, cell: ({ failed_at }) => <span className="whitespace-nowrap">{formatTime(failed_at)}</span> },
    {
      id: 'redrive',
      name: health.redrive,
      isNameHidden: true,
      align: 'end',
      cell: (letter) => (
        <Button size="small" aria-label={health.redriveOne(letter.event_type)} onPress={() => setToConfirm(letter)}>
          {health.redrive}
        </Button>
      ),
    },
  ];
  const total = query.data?.pages.at(-1)?.total ?? 0;
  return (
    <Dialog
      title={health.deadLettersOf(service)}
      isOpen
      onClose={onClose}
      size="wide"
      footer={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/health/dead-letters', { service }, 'dead-letters.csv')} />
          {total > 0 && <Button onPress={() => setToConfirm(null)}>{health.redriveAll}</Button>}
        </>
      }
    >
      <p className="text-sm text-muted">{health.deadLettersText}</p>
      <Loaded query={query}>
        {({ pages }) => {
          const letters = pages.flatMap(({ dead_letters }) => dead_letters);
          return (
            <>
              <Table
                label={health.deadLettersOf(service)}
                columns={columns}
                rows={letters}
                keyOf={({ id }) => id}
                empty={<EmptyState title={health.noDeadLetters} text={health.noDeadLettersText} />}
              />
              {total > letters.length && (
                <p className="text-xs text-muted">{health.shownOf(formatNumber(letters.length), formatNumber(total))}</p>
              )}
            </>
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <Button className="self-start" isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
          {health.moreDeadLetters}
        </Button>
      )}
      <ConfirmDialog
        title={health.redriveTitle}
        text={health.redriveText(toConfirm ? 1 : total, service)}
        confirmLabel={health.redrive}
        isDanger={false}
        isOpen={toConfirm !== undefined}
        onClose={() => setToConfirm(undefined)}
        onConfirm={redrive}
      />
    </Dialog>
  );
}
