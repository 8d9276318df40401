import type { ReactNode } from 'react';
import { formatMoney, formatNumber } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Section } from '../../../../ui/page.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { ShareBar } from '../share-bar.tsx';
import { type CostRow, OTHERS } from './cost-rows.ts';

interface Props {
  readonly title: string;
  readonly head: string;
  readonly rows: readonly CostRow[];
  /** All costs of the period. */
  readonly total: number;
  readonly nameOf: (row: CostRow) => ReactNode;
  /** The name of the row for everything that is not listed. */
  readonly others?: string;
  /** The header of the count column; without it there is no such column. */
  readonly countHead?: string;
  readonly hasTokens?: boolean;
  readonly hasBefore: boolean;
  readonly empty?: string;
}

export function CostTable({ title, head, rows, total, nameOf, others, countHead, hasTokens = true, hasBefore, empty }: Props) {
  const { costs: texts } = useAdminMessages().admin.people;
  const number = (n: number | null) => (n === null ? '–' : formatNumber(n));
  const columns: readonly (Column<CostRow> | false)[] = [
    { id: 'name', name: head, cell: (row) => <div className="min-w-44">{row.id === OTHERS ? others : nameOf(row)}</div> },
    // The amounts come first, because phones show only the first columns.
    { id: 'cost', name: texts.cost, align: 'end', cell: ({ cost }) => <span className="font-medium">{formatMoney(cost)}</span> },
    { id: 'share', name: texts.share, cell: ({ cost }) => <ShareBar share={total === 0 ? 0 : cost / total} /> },
    hasBefore && { id: 'before', name: texts.before, align: 'end', cell: ({ before }) => (before === null ? '–' : formatMoney(before)) },
    countHead !== undefined && { id: 'count', name: countHead, align: 'end', cell: ({ count }) => number(count) },
    hasTokens && { id: 'tokens', name: texts.tokens, align: 'end', cell: ({ tokens }) => number(tokens) },
  ];
  return (
    <Section title={title}>
      <Table
        label={title}
        columns={columns.filter((column) => column !== false)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<p className="text-sm text-muted">{empty ?? texts.empty}</p>}
      />
      {hasBefore && rows.some(({ before }) => before === null) && <p className="text-xs text-muted">{texts.beforeUnknown}</p>}
    </Section>
  );
}
