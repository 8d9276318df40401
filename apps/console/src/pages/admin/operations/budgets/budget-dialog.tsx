import { ParlanceError } from '@parlance/client';
import type { Budget, BudgetBody } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { NumberField, Select } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { SubjectPicker } from './subject-picker.tsx';

const optionsOf = <Id extends string>(names: Record<Id, string>) =>
  (Object.entries(names) as [Id, string][]).map(([id, name]) => ({ id, name }));

interface BudgetDialogProps {
  /** Null makes a new one. */
  readonly budget: Budget | null;
  /** Of what an existing budget limits. */
  readonly name: string;
  /** What a new budget limits, where that is no choice. */
  readonly of?: Pick<Budget, 'scope'> & { readonly scope_id: string };
  readonly onClose: () => void;
}

/** Makes a budget, or changes the limit, the period and the mode of one. */
export function BudgetDialog({ budget, name, of, onClose }: BudgetDialogProps) {
  const { common, admin } = useAdminMessages();
  const { budgets } = admin.operations;
  const client = useQueryClient();
  const [scope, setScope] = useState<Budget['scope']>((budget ?? of)?.scope ?? 'all');
  const [subject, setSubject] = useState({ text: '', id: (budget ?? of)?.scope_id ?? '' });
  const [limit, setLimit] = useState(budget?.limit ?? Number.NaN);
  const [period, setPeriod] = useState<Budget['period']>(budget?.period ?? 'MONTH');
  const [mode, setMode] = useState<Budget['mode']>(budget?.mode ?? 'hard');
  const [isChecked, setChecked] = useState(false);

  const saving = useMutation({
    mutationFn: (body: BudgetBody) => parlance.api.put('/admin/budgets', { body, ...(budget && { ifMatch: budget.etag }) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['admin', 'budgets'] });
      toast(budgets.saved);
      onClose();
    },
  });
  const needsSubject = scope !== 'all' && subject.id === '';
  const needsLimit = !(limit > 0);
  const save = () => {
    setChecked(true);
    if (needsSubject || needsLimit) return;
    saving.mutate({ ...(budget && { id: budget.id }), scope, scope_id: scope === 'all' ? null : subject.id, limit, period, mode });
  };
  const errors = fieldErrors(saving.error);

  return (
    <FormDialog
      title={budget ? budgets.changeTitle(name) : budgets.createTitle}
      onClose={onClose}
      submitLabel={common.save}
      onSubmit={save}
      isPending={saving.isPending}
      error={isStale(saving.error) ? new Error(budgets.stale) : formError(saving.error)}
      noValidate
    >
      {budget === null && of === undefined && (
        <Select
          label={budgets.scope}
          value={scope}
          onChange={(next) => {
            setScope(next);
            setSubject({ text: '', id: '' });
          }}
          options={optionsOf(budgets.scopes)}
          error={errors['scope']}
        />
      )}
      {scope !== 'all' && budget === null && of === undefined && (
        <SubjectPicker
          kind={scope}
          text={subject.text}
          onChange={(text, id) => setSubject({ text, id })}
          error={errors['scope_id'] ?? (isChecked && needsSubject ? budgets.missing : undefined)}
        />
      )}
      <NumberField
        label={budgets.limit}
        help={budgets.limitHelp}
        value={limit}
        onChange={setLimit}
        minValue={0}
        formatOptions={{ style: 'currency', currency: 'USD', maximumFractionDigits: 9 }}
        error={errors['limit'] ?? (isChecked && needsLimit ? budgets.limitMissing : undefined)}
      />
      <Select label={budgets.period} value={period} onChange={setPeriod} options={optionsOf(budgets.periods)} error={errors['period']} />
      <Select label={budgets.mode} value={mode} onChange={setMode} options={optionsOf(budgets.modes)} error={errors['mode']} />
    </FormDialog>
  );
}

const isStale = (error: unknown): boolean => error instanceof ParlanceError && error.status === 412;
