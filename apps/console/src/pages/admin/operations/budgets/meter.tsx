import { Meter as AriaMeter } from 'react-aria-components';
import { formatPercent } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { BudgetBar, usedShare } from '../../../../ui/budget-bar.tsx';

interface MeterProps {
  readonly spent: number;
  readonly reserved: number;
  readonly limit: number;
}

export function BudgetMeter({ spent, reserved, limit }: MeterProps) {
  const { budgets } = useAdminMessages().admin.operations;
  const used = usedShare({ spent, reserved, limit });
  return (
    <AriaMeter aria-label={budgets.meter(formatPercent(used))} value={Math.min(100, used * 100)} className="flex items-center gap-2">
      <BudgetBar spent={spent} reserved={reserved} limit={limit} className="w-28 shrink-0" />
      <span className="text-xs whitespace-nowrap tabular-nums">{formatPercent(used)}</span>
    </AriaMeter>
  );
}
