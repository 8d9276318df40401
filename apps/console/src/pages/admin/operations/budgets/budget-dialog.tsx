import type { Budget } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isStale } from '../../../../api/form-errors.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { NumberField, Select } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { allBudgetsQuery } from './all-budgets-query.ts';
import { freePeriods, takenPeriods } from './free-periods.ts';
import { SubjectPicker } from './subject-picker.tsx';

const optionsOf = <Id extends string>(names: Record<Id, string>) =>
  (Object.entries(names) as [Id, string][]).map(([id, name]) => ({ id, name }));

interface BudgetDialogProps {
  /** Null to create a budget. */
  readonly budget: Budget | null;
  /** The name of the user, group, bot or key that an existing budget limits. */
  readonly name: string;
  /** The scope of a new budget, if the user cannot choose it. */
  readonly of?: Pick<Budget, 'scope'> & { readonly scope_id: string };
  readonly onClose: () => void;
}

/** Creates a budget for a period without one, or changes an existing budget's limit and mode. */
export function BudgetDialog({ budget, name, of, onClose }: BudgetDialogProps) {
  const { common, admin } = useAdminMessages();
  const { budgets } = admin.operations;
  const client = useQueryClient();
  const [scope, setScope] = useState<Budget['scope']>((budget ?? of)?.scope ?? 'all');
  const [subject, setSubject] = useState({ text: '', id: (budget ?? of)?.scope_id ?? '' });
  const [limit, setLimit] = useState(budget?.limit ?? Number.NaN);
  const [chosen, setChosen] = useState<Budget['period'] | null>(null);
  const [mode, setMode] = useState<Budget['mode']>(budget?.mode ?? 'hard');
  const scopeId = scope === 'all' ? null : subject.id;
  const others = useQuery({ ...allBudgetsQuery, enabled: budget === null });
  const free = others.data && freePeriods(others.data, scope, scopeId);
  // If another budget has taken the chosen period meanwhile, the user chooses again.
  const period = budget?.period ?? (chosen === null ? free?.at(-1) : free?.find((id) => id === chosen));

  const needsSubject = scope !== 'all' && subject.id === '';
  const needsLimit = !(limit > 0);
  const reread = () => client.invalidateQueries({ queryKey: ['admin', 'budgets'] });
  const save = async () => {
    if (others.error !== null) void others.refetch();
    if (period === undefined) return;
    setChosen(period);
    const body = { ...(budget && { id: budget.id }), scope, scope_id: scopeId, limit, period, mode };
    try {
      await parlance.api.put('/admin/budgets', { body, ...(budget ? { ifMatch: budget.etag } : { ifNoneMatch: '*' as const }) });
    } catch (error) {
      if (!isStale(error)) throw error;
      // Another administrator has changed or created one: reload the list below the dialog and the free periods.
      await reread();
      throw new Error(budget ? budgets.stale : budgets.exists, { cause: error });
    }
    await reread();
    toast(budgets.saved);
    onClose();
  };
  const taken = free === undefined ? [] : takenPeriods(free);

  return (
    <FormDialog
      title={budget ? budgets.changeTitle(name) : budgets.createTitle}
      onClose={onClose}
      submitLabel={common.save}
      onSubmit={save}
      isComplete={!needsSubject && !needsLimit}
      isLoading={others.isLoading}
      otherError={others.error}
    >
      {({ errorOf, isChecked }) => (
        <>
          {budget === null && of === undefined && (
            <Select
              label={budgets.scope}
              value={scope}
              onChange={(next) => {
                setScope(next);
                setSubject({ text: '', id: '' });
              }}
              options={optionsOf(budgets.scopes)}
              error={errorOf('scope')}
            />
          )}
          {scope !== 'all' && budget === null && of === undefined && (
            <SubjectPicker
              kind={scope}
              text={subject.text}
              onChange={(text, id) => setSubject({ text, id })}
              error={errorOf('scope_id') !== undefined || (isChecked && needsSubject) ? budgets.missing : undefined}
            />
          )}
          <NumberField
            label={budgets.limit}
            help={budgets.limitHelp}
            value={limit}
            onChange={setLimit}
            minValue={0}
            formatOptions={{ style: 'currency', currency: 'USD', maximumFractionDigits: 9 }}
            error={errorOf('limit') ?? (isChecked && needsLimit ? budgets.limitMissing : undefined)}
          />
          {free !== undefined && budget === null && (
            <Select
              label={budgets.period}
              value={period ?? null}
              onChange={setChosen}
              options={free.map((id) => ({ id, name: budgets.periods[id] }))}
              isDisabled={free.length === 0}
              help={taken.length > 0 && free.length > 0 ? budgets.takenPeriods(taken.map((id) => budgets.periods[id])) : undefined}
              error={
                errorOf('period') ??
                (free.length === 0 ? budgets.noPeriod : isChecked && period === undefined ? budgets.periodMissing : undefined)
              }
            />
          )}
          <Select label={budgets.mode} value={mode} onChange={setMode} options={optionsOf(budgets.modes)} error={errorOf('mode')} />
        </>
      )}
    </FormDialog>
  );
}
