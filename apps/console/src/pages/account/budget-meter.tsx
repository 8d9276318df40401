import type { OwnUsage } from '@parlance/client/types';
import { Label, Meter } from 'react-aria-components';
import { formatMoney, formatTime } from '../../messages/format.ts';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { BudgetBar } from '../../ui/budget-bar.tsx';

type Budget = NonNullable<OwnUsage['budget']>;

export function BudgetMeter({ budget: { spent, limit, resets_at } }: { readonly budget: Budget }) {
  const account = useAccountMessages();
  const isReached = spent >= limit;
  const text = account.spentOf(formatMoney(spent), formatMoney(limit));
  return (
    <>
      <Meter value={Math.min(spent, limit)} maxValue={limit} valueLabel={text} className="flex flex-col gap-2">
        <div className="flex justify-between gap-3 text-sm">
          <Label className="sr-only">{account.budget}</Label>
          <span className="font-medium tabular-nums">{text}</span>
        </div>
        <BudgetBar spent={spent} limit={limit} />
      </Meter>
      {isReached && <p className="text-sm text-bad">{account.budgetReached}</p>}
      <p className="text-xs text-muted">{account.resets(formatTime(resets_at))}</p>
    </>
  );
}
