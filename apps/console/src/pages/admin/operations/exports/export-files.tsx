import type { Export, ExportPage } from '@parlance/client/types';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { downloadFrom } from '../../../../api/save-file.ts';
import { formatBytes, formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { Select } from '../../../../ui/fields/index.ts';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Pager, type PagerProps, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { toastError } from '../../../../ui/toasts.tsx';
import type { ExportKind } from './exports-search.ts';

const TONES = { writing: 'warn', written: 'ok', outdated: 'warn' } as const;

interface ExportFilesProps {
  readonly kind: ExportKind;
  readonly pager: PagerProps;
  readonly data: ExportPage;
}

export function ExportFiles({ kind, pager, data }: ExportFilesProps) {
  const { exports } = useAdminMessages().admin.operations;
  const navigate = useNavigate();
  const columns = useColumns();
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="text-md font-semibold">{exports.files}</h2>
          <p className="text-sm text-muted">{exports.filesText}</p>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <Select<ExportKind>
            label={exports.kind}
            value={kind}
            onChange={(next) => void navigate({ to: '/admin/exports', search: next === 'hour' ? {} : { kind: next }, resetScroll: false })}
            options={[
              { id: 'hour', name: exports.kinds.hour },
              { id: 'day', name: exports.kinds.day },
            ]}
            className="w-40"
          />
          <CsvButton onDownload={() => downloadCsv('/admin/exports', { kind }, 'exports.csv')} />
        </div>
      </div>
      <Table
        label={exports.files}
        columns={columns}
        rows={data.exports}
        keyOf={({ hour }) => hour}
        empty={<EmptyState title={exports.emptyTitle} text={exports.emptyText} />}
      />
      <Pager {...pager} />
    </section>
  );
}

function useColumns(): readonly Column<Export>[] {
  const { exports } = useAdminMessages().admin.operations;
  // Requested only now, because a file's address is valid for a few minutes.
  const download = useMutation({
    mutationFn: async (hour: string) => {
      const { url } = await parlance.api.get('/admin/exports/{hour}', { path: { hour } });
      if (url === null) throw new Error(exports.notReady);
      downloadFrom(url);
    },
    onError: toastError,
  });
  return [
    { id: 'hour', name: exports.hour, cell: ({ datehour }) => <span className="font-medium whitespace-nowrap">{datehour}</span> },
    { id: 'status', name: exports.status, cell: ({ status }) => <Tag tone={TONES[status]}>{exports.statuses[status]}</Tag> },
    { id: 'rows', name: exports.rows, align: 'end', cell: ({ rows }) => rows !== null && formatNumber(rows) },
    { id: 'size', name: exports.size, align: 'end', cell: ({ bytes }) => bytes !== null && formatBytes(bytes) },
    { id: 'writes', name: exports.writes, align: 'end', cell: ({ writes }) => formatNumber(writes) },
    {
      id: 'written',
      name: exports.writtenAt,
      cell: ({ written_at }) => written_at !== null && <span className="whitespace-nowrap">{formatTime(written_at)}</span>,
    },
    {
      id: 'download',
      name: exports.download,
      isNameHidden: true,
      align: 'end',
      cell: ({ hour, datehour, key }) =>
        key !== null && (
          <Button
            size="small"
            look="quiet"
            aria-label={exports.downloadOf(datehour)}
            isPending={download.isPending && download.variables === hour}
            onPress={() => download.mutate(hour)}
          >
            <Download aria-hidden className="size-4" />
            {exports.download}
          </Button>
        ),
    },
  ];
}
