import type { Budget } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAdminMessages } from '../../../messages/admin-messages.ts';
import { formatMoney, formatTime } from '../../../messages/format.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Section } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { allBudgetsQuery } from '../../admin/operations/budgets/all-budgets-query.ts';
import { BudgetDialog } from '../../admin/operations/budgets/budget-dialog.tsx';
import { freePeriods } from '../../admin/operations/budgets/free-periods.ts';
import { BudgetMeter } from '../../admin/operations/budgets/meter.tsx';

/** The budgets of a bot, at most one for each period. */
export function BotBudgets({ botId }: { readonly botId: string }) {
  const { admin, bots, common } = useAdminMessages();
  const { budgets } = admin.operations;
  const { settings } = bots;
  const client = useQueryClient();
  /** Null for a new budget. */
  const [edited, setEdited] = useState<Budget | null | undefined>(undefined);
  const [deleted, setDeleted] = useState<Budget | null>(null);
  const query = useQuery({
    ...allBudgetsQuery,
    select: (all) => all.filter(({ scope, scope_id }) => scope === 'bot' && scope_id === botId),
  });
  const nameOf = ({ period }: Budget) => settings.budgetsOf[period];
  const remove = async ({ id }: Budget) => {
    await parlance.api.delete('/admin/budgets/{budgetId}', { path: { budgetId: id } });
    await client.invalidateQueries({ queryKey: ['admin', 'budgets'] });
    toast(budgets.deleted);
  };
  return (
    <Section
      title={settings.budget}
      description={settings.budgetText}
      actions={
        query.data !== undefined &&
        freePeriods(query.data, 'bot', botId).length > 0 && (
          <Button size="small" onPress={() => setEdited(null)}>
            <Plus aria-hidden className="size-4" />
            {budgets.create}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <p className="text-sm text-muted">{settings.noBudget}</p>
          ) : (
            <ul className="flex flex-col rounded-sm border border-line">
              {all.map((budget) => (
                <li key={budget.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-2 last:border-0">
                  <span className="flex min-w-0 grow basis-56 flex-col">
                    <span className="flex flex-wrap items-center gap-2 text-sm font-medium">
                      {nameOf(budget)}
                      <Tag tone={budget.mode === 'hard' ? 'accent' : 'neutral'}>{budgets.modes[budget.mode]}</Tag>
                    </span>
                    <span className="text-xs text-muted">
                      {budgets.spentOf(formatMoney(budget.spent), formatMoney(budget.limit))}
                      {budget.reserved > 0 && ` ${budgets.plusReserved(formatMoney(budget.reserved))}`}
                      {` · ${settings.budgetResets(formatTime(budget.resets_at))}`}
                    </span>
                  </span>
                  <BudgetMeter {...budget} />
                  <span className="inline-flex gap-1">
                    <Button size="small" look="quiet" aria-label={settings.changeBudget(nameOf(budget))} onPress={() => setEdited(budget)}>
                      {budgets.change}
                    </Button>
                    <Button size="small" look="quiet" aria-label={settings.deleteBudget(nameOf(budget))} onPress={() => setDeleted(budget)}>
                      {common.delete}
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {edited !== undefined && (
        <BudgetDialog budget={edited} name={settings.thisBot} of={{ scope: 'bot', scope_id: botId }} onClose={() => setEdited(undefined)} />
      )}
      {deleted && (
        <ConfirmDialog
          title={budgets.deleteTitle}
          text={budgets.deleteText(settings.thisBot)}
          confirmLabel={common.delete}
          isOpen
          onClose={() => setDeleted(null)}
          onConfirm={() => remove(deleted)}
        />
      )}
    </Section>
  );
}
