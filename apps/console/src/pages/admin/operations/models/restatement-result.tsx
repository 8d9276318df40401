import type { Restatement } from '@parlance/client/types';
import { formatMoney, formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Facts } from '../../../../ui/facts.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';

type Row = Restatement['models'][number];

/** For each model, the billed cost, the cost at the prices of the restatement, and the difference. */
export function RestatementResult({ restatement: { from, model, models, total } }: { readonly restatement: Restatement }) {
  const { restatements } = useAdminMessages().admin.operations;
  const columns: readonly Column<Row>[] = [
    { id: 'model', name: restatements.model, cell: (row) => row.model },
    { id: 'calls', name: restatements.calls, align: 'end', cell: ({ calls }) => formatNumber(calls) },
    { id: 'billed', name: restatements.asBilled, align: 'end', cell: ({ as_billed }) => formatMoney(as_billed) },
    { id: 'corrected', name: restatements.asCorrected, align: 'end', cell: ({ as_corrected }) => formatMoney(as_corrected) },
    { id: 'difference', name: restatements.difference, align: 'end', cell: ({ difference }) => formatMoney(difference) },
  ];
  return (
    <>
      <Facts
        facts={[
          [restatements.from, formatTime(from)],
          [restatements.model, model ?? restatements.allModels],
          [restatements.asBilled, formatMoney(total.as_billed)],
          [restatements.asCorrected, formatMoney(total.as_corrected)],
          [
            restatements.difference,
            <strong key="difference" className="font-semibold">
              {formatMoney(total.difference)}
            </strong>,
          ],
        ]}
      />
      <Table
        label={restatements.previewOf}
        columns={columns}
        rows={models}
        keyOf={(row) => row.model}
        empty={<p className="text-sm text-muted">{restatements.noUsage}</p>}
      />
    </>
  );
}
