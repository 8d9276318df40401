import type { ListedBudget } from '@parlance/client/types';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { formatMoney, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { ShortId } from '../short-id.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { BudgetMeter } from './meter.tsx';

const route = getRouteApi('/signed-in/admin/budgets');

export function BudgetsPage() {
  const { admin, common } = useAdminMessages();
  const { budgets } = admin.operations;
  const { token } = route.useSearch();
  const client = useQueryClient();
  /** Null for a new budget. */
  const [edited, setEdited] = useState<ListedBudget | null | undefined>(undefined);
  const [deleted, setDeleted] = useState<ListedBudget | null>(null);
  const query = useQuery({
    queryKey: ['admin', 'budgets', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/budgets', { query: { next_token: token }, signal }),
    placeholderData: keepPreviousData,
  });
  const nameOf = ({ scope, scope_id, scope_name }: ListedBudget) => scope_name ?? scope_id ?? budgets.scopes[scope];
  const remove = async (budget: ListedBudget) => {
    await parlance.api.delete('/admin/budgets/{budgetId}', { path: { budgetId: budget.id } });
    await client.invalidateQueries({ queryKey: ['admin', 'budgets'] });
    toast(budgets.deleted);
  };
  const create = (
    <Button look="primary" onPress={() => setEdited(null)}>
      <Plus aria-hidden className="size-4" />
      {budgets.create}
    </Button>
  );
  const columns = useColumns({ nameOf, onEdit: setEdited, onDelete: setDeleted });

  return (
    <Page
      title={budgets.title}
      description={budgets.description}
      isWide
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/budgets', {}, 'budgets.csv')} />
          {create}
        </>
      }
    >
      <Paged query={query} token={token}>
        {(data) => (
          <Table
            label={budgets.title}
            columns={columns}
            rows={data.budgets}
            keyOf={({ id }) => id}
            empty={<EmptyState title={budgets.emptyTitle} text={budgets.emptyText} />}
          />
        )}
      </Paged>
      {edited !== undefined && <BudgetDialog budget={edited} name={edited ? nameOf(edited) : ''} onClose={() => setEdited(undefined)} />}
      {deleted && (
        <ConfirmDialog
          title={budgets.deleteTitle}
          text={budgets.deleteText(nameOf(deleted))}
          confirmLabel={common.delete}
          isOpen
          onClose={() => setDeleted(null)}
          onConfirm={() => remove(deleted)}
        />
      )}
    </Page>
  );
}

interface Columns {
  readonly nameOf: (budget: ListedBudget) => string;
  readonly onEdit: (budget: ListedBudget) => void;
  readonly onDelete: (budget: ListedBudget) => void;
}

function useColumns({ nameOf, onEdit, onDelete }: Columns): readonly Column<ListedBudget>[] {
  const { admin, common } = useAdminMessages();
  const { budgets } = admin.operations;
  return [
    {
      id: 'scope',
      name: budgets.scope,
      cell: ({ scope, scope_id, scope_name, period }) => (
        <span className="flex min-w-44 flex-col">
          <span className="font-medium">{scope_id === null ? budgets.scopes[scope] : (scope_name ?? <ShortId id={scope_id} />)}</span>
          <span className="text-xs text-muted">
            {scope_id === null ? budgets.periods[period] : budgets.ofPeriod(budgets.scopes[scope], budgets.periods[period])}
          </span>
        </span>
      ),
    },
    {
      id: 'used',
      name: budgets.used,
      cell: (budget) => (
        <span className="flex flex-col gap-0.5">
          <BudgetMeter {...budget} />
          <span className="text-xs whitespace-nowrap text-muted">
            {budgets.spentOf(formatMoney(budget.spent), formatMoney(budget.limit))}
            {budget.reserved > 0 && ` ${budgets.plusReserved(formatMoney(budget.reserved))}`}
          </span>
        </span>
      ),
    },
    {
      id: 'mode',
      name: budgets.mode,
      cell: ({ mode }) => <Tag tone={mode === 'hard' ? 'accent' : 'neutral'}>{budgets.modes[mode]}</Tag>,
    },
    {
      id: 'resets',
      name: budgets.resets,
      cell: ({ resets_at }) => <span className="whitespace-nowrap">{formatTime(resets_at)}</span>,
    },
    {
      id: 'actions',
      name: common.actions,
      isNameHidden: true,
      align: 'end',
      cell: (budget) => (
        <span className="inline-flex gap-1">
          <Button size="small" look="quiet" aria-label={budgets.changeOf(nameOf(budget))} onPress={() => onEdit(budget)}>
            {budgets.change}
          </Button>
          <Button size="small" look="quiet" aria-label={budgets.deleteOf(nameOf(budget))} onPress={() => onDelete(budget)}>
            {common.delete}
          </Button>
        </span>
      ),
    },
  ];
}
