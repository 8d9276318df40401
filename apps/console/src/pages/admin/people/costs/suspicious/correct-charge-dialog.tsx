import type { SuspiciousCharge } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { fieldErrors, formError } from '../../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { formatMoney } from '../../../../../messages/format.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button } from '../../../../../ui/button.tsx';
import { Dialog } from '../../../../../ui/dialogs/dialog.tsx';
import { NumberField } from '../../../../../ui/fields/index.ts';
import { ErrorNote } from '../../../../../ui/states.tsx';
import { toast } from '../../../../../ui/toasts.tsx';

const AMOUNT = { style: 'currency', currency: 'USD', maximumFractionDigits: 9 } as const;

/** States what a charge costs. It starts with the cost as it is now. */
export function CorrectChargeDialog({ charge, onClose }: { readonly charge: SuspiciousCharge; readonly onClose: () => void }) {
  const { common, admin } = useAdminMessages();
  const { suspicious } = admin.people.costs;
  const client = useQueryClient();
  const form = useId();
  const [cost, setCost] = useState(charge.as_corrected ?? charge.as_billed);
  const [isChecked, setChecked] = useState(false);
  const saving = useMutation({
    mutationFn: () =>
      parlance.api.put('/admin/costs/suspicious-charges/{chargeId}/correction', { path: { chargeId: charge.charge_id }, body: { cost } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['admin', 'costs'] });
      toast(suspicious.corrected);
      onClose();
    },
  });
  const isMissing = Number.isNaN(cost);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isMissing && !saving.isPending) saving.mutate();
  };
  const problem = formError(saving.error);
  return (
    <Dialog
      title={suspicious.correctTitle}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" form={form} look="primary" isPending={saving.isPending}>
            {suspicious.save}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={save} noValidate className="flex flex-col gap-4">
        <p className="text-sm text-muted">{suspicious.correctText(formatMoney(charge.as_billed))}</p>
        {problem !== null && <ErrorNote error={problem} />}
        <NumberField
          label={suspicious.cost}
          help={suspicious.costHelp}
          value={cost}
          onChange={setCost}
          minValue={0}
          formatOptions={AMOUNT}
          error={fieldErrors(saving.error)['cost'] ?? (isChecked && isMissing ? suspicious.costMissing : undefined)}
        />
      </form>
    </Dialog>
  );
}
