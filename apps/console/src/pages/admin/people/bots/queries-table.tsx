import type { PopularQuery } from '@parlance/client/types';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { type Column, Table } from '../../../../ui/table.tsx';

interface Props {
  readonly label: string;
  readonly queries: readonly PopularQuery[];
  /** Shown if there are none. */
  readonly empty: ReactNode;
}

/** Questions with how often they were asked. */
export function QueriesTable({ label, queries, empty }: Props) {
  const { bots: texts } = useAdminMessages().admin.people;
  const columns: readonly Column<PopularQuery>[] = [
    { id: 'query', name: texts.query, cell: ({ query }) => <span className="line-clamp-3">{query}</span> },
    { id: 'count', name: texts.count, align: 'end', cell: ({ count }) => formatNumber(count) },
  ];
  return <Table label={label} columns={columns} rows={queries} keyOf={({ query }) => query} empty={empty} />;
}
