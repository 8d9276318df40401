import type { Model, Restatement } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { formatMoney, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { SidePanel } from '../../../../ui/dialogs/side-panel.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { RestateDialog } from './restate-dialog.tsx';
import { audited, pollMillis } from '../../../../api/query-client.ts';
import { RestatementResult } from './restatement-result.tsx';

const route = getRouteApi('/signed-in/admin/models');

/** The list is read again while one of them runs. */
export function Restatements({ models }: { readonly models: readonly Model[] }) {
  const { restatements } = useAdminMessages().admin.operations;
  const { token } = route.useSearch();
  const [isStarting, setStarting] = useState(false);
  const [shown, setShown] = useState<Restatement | null>(null);
  const query = useQuery({
    ...audited,
    queryKey: ['admin', 'restatements', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/costs/restatements', { query: { next_token: token, limit: 20 }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.restatements.some(({ status }) => status === 'running') ? pollMillis(state.dataUpdateCount) : false,
  });
  const columns = useColumns(setShown);
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-64 grow basis-0">
          <h2 className="text-md font-semibold">{restatements.title}</h2>
          <p className="text-sm text-muted">{restatements.description}</p>
        </div>
        <CsvButton onDownload={() => downloadCsv('/admin/costs/restatements', {}, 'restatements.csv')} />
        <Button onPress={() => setStarting(true)}>{restatements.start}</Button>
      </div>
      <Paged query={query} token={token}>
        {(data) => (
          <Table
            label={restatements.title}
            columns={columns}
            rows={data.restatements}
            keyOf={({ id }) => id}
            empty={<EmptyState title={restatements.emptyTitle} text={restatements.emptyText} />}
          />
        )}
      </Paged>
      {isStarting && <RestateDialog models={models} onClose={() => setStarting(false)} />}
      {shown && (
        <SidePanel title={restatements.detail} isOpen onClose={() => setShown(null)}>
          <RestatementResult restatement={shown} />
        </SidePanel>
      )}
    </section>
  );
}

function useColumns(onShow: (restatement: Restatement) => void): readonly Column<Restatement>[] {
  const { restatements } = useAdminMessages().admin.operations;
  return [
    {
      id: 'time',
      name: restatements.time,
      cell: (restatement) => (
        <button
          type="button"
          onClick={() => onShow(restatement)}
          aria-label={restatements.show(formatTime(restatement.create_time))}
          className="min-h-8 cursor-pointer whitespace-nowrap text-accent hover:underline max-sm:min-h-11"
        >
          {formatTime(restatement.create_time)}
        </button>
      ),
    },
    {
      id: 'kind',
      name: restatements.kind,
      cell: ({ dry_run }) => <Tag tone={dry_run ? 'neutral' : 'accent'}>{dry_run ? restatements.dryRun : restatements.correction}</Tag>,
    },
    { id: 'from', name: restatements.from, cell: ({ from }) => <span className="whitespace-nowrap">{formatTime(from)}</span> },
    { id: 'model', name: restatements.model, cell: ({ model }) => model ?? restatements.allModels },
    {
      id: 'status',
      name: restatements.status,
      cell: ({ status }) => <Tag tone={status === 'completed' ? 'ok' : 'warn'}>{restatements[status]}</Tag>,
    },
    { id: 'difference', name: restatements.difference, align: 'end', cell: ({ total }) => formatMoney(total.difference) },
  ];
}
