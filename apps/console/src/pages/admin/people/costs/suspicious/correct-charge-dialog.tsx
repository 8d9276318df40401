import type { SuspiciousCharge } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { formatMoney } from '../../../../../messages/format.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { FormDialog } from '../../../../../ui/dialogs/form-dialog.tsx';
import { NumberField } from '../../../../../ui/fields/index.ts';
import { toast } from '../../../../../ui/toasts.tsx';

const AMOUNT = { style: 'currency', currency: 'USD', maximumFractionDigits: 9 } as const;

/** Corrects the cost of a charge. The form starts with the current cost. */
export function CorrectChargeDialog({ charge, onClose }: { readonly charge: SuspiciousCharge; readonly onClose: () => void }) {
  const { suspicious } = useAdminMessages().admin.people.costs;
  const client = useQueryClient();
  const [cost, setCost] = useState(charge.as_corrected ?? charge.as_billed);
  const save = async () => {
    const path = { chargeId: charge.charge_id };
    await parlance.api.put('/admin/costs/suspicious-charges/{chargeId}/correction', { path, body: { cost } });
    await client.invalidateQueries({ queryKey: ['admin', 'costs'] });
    toast(suspicious.corrected);
    onClose();
  };
  const isMissing = Number.isNaN(cost);
  return (
    <FormDialog title={suspicious.correctTitle} onClose={onClose} submitLabel={suspicious.save} onSubmit={save} isComplete={!isMissing}>
      {({ errorOf, isChecked }) => (
        <>
          <p className="text-sm text-muted">{suspicious.correctText(formatMoney(charge.as_billed))}</p>
          <NumberField
            label={suspicious.cost}
            help={suspicious.costHelp}
            value={cost}
            onChange={setCost}
            minValue={0}
            formatOptions={AMOUNT}
            error={errorOf('cost') ?? (isChecked && isMissing ? suspicious.costMissing : undefined)}
          />
        </>
      )}
    </FormDialog>
  );
}
