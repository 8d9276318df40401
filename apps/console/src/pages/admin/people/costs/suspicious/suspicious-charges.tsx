import type { SuspiciousCharge } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../../../api/download-csv.ts';
import { audited } from '../../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { formatMoney, formatNumber, formatTime } from '../../../../../messages/format.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button } from '../../../../../ui/button.tsx';
import { CsvButton } from '../../../../../ui/csv-button.tsx';
import { Section } from '../../../../../ui/page.tsx';
import { Paged } from '../../../../../ui/paging/paged.tsx';
import { type Column, Table } from '../../../../../ui/table.tsx';
import { Tag } from '../../../../../ui/tag.tsx';
import { ShortId } from '../../../operations/short-id.tsx';
import { useNames } from '../../../operations/use-names.ts';
import { CorrectChargeDialog } from './correct-charge-dialog.tsx';

const route = getRouteApi('/signed-in/admin/costs');
const LISTED = 20;

/** Charges with more tokens than seems possible, over all time. Shown only if there are any. */
export function SuspiciousCharges() {
  const { suspicious } = useAdminMessages().admin.people.costs;
  const { token } = route.useSearch();
  const [chosen, setChosen] = useState<SuspiciousCharge | null>(null);
  const query = useQuery({
    ...audited,
    queryKey: ['admin', 'costs', 'suspicious', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/costs/suspicious-charges', { query: { next_token: token, limit: LISTED }, signal }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(query.data?.charges ?? [], setChosen);
  if (token === undefined && query.error === null && (query.data?.charges ?? []).length === 0) return null;
  return (
    <Section
      title={suspicious.title}
      description={suspicious.description}
      actions={<CsvButton onDownload={() => downloadCsv('/admin/costs/suspicious-charges', {}, 'suspicious-charges.csv')} />}
    >
      <Paged query={query} token={token} resetScroll={false}>
        {(data) => <Table label={suspicious.title} columns={columns} rows={data.charges} keyOf={({ charge_id }) => charge_id} />}
      </Paged>
      {chosen && <CorrectChargeDialog charge={chosen} onClose={() => setChosen(null)} />}
    </Section>
  );
}

function useColumns(
  charges: readonly SuspiciousCharge[],
  onCorrect: (charge: SuspiciousCharge) => void,
): readonly Column<SuspiciousCharge>[] {
  const { suspicious, user } = useAdminMessages().admin.people.costs;
  const names = useNames({ users: charges.map(({ user_id }) => user_id), bots: false });
  return [
    { id: 'time', name: suspicious.time, cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span> },
    { id: 'billed', name: suspicious.asBilled, align: 'end', cell: ({ as_billed }) => formatMoney(as_billed) },
    {
      id: 'corrected',
      name: suspicious.asCorrected,
      align: 'end',
      cell: ({ as_corrected }) => (as_corrected === null ? <Tag tone="warn">{suspicious.open}</Tag> : formatMoney(as_corrected)),
    },
    { id: 'user', name: user, cell: ({ user_id }) => names.get(user_id) ?? <ShortId id={user_id} /> },
    { id: 'model', name: suspicious.model, cell: ({ model }) => <code className="text-xs">{model}</code> },
    { id: 'input', name: suspicious.input, align: 'end', cell: ({ input_tokens }) => formatNumber(input_tokens) },
    { id: 'output', name: suspicious.output, align: 'end', cell: ({ output_tokens }) => formatNumber(output_tokens) },
    {
      id: 'correct',
      name: suspicious.correct,
      isNameHidden: true,
      align: 'end',
      cell: (charge) => (
        <Button
          size="small"
          look="quiet"
          aria-label={suspicious.correctOf(formatTime(charge.create_time))}
          onPress={() => onCorrect(charge)}
        >
          {suspicious.correct}
        </Button>
      ),
    },
  ];
}
