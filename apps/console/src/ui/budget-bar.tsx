/** From this share on, a budget counts as nearly used up. */
const NEARLY = 0.8;

interface BudgetBarProps {
  readonly spent: number;
  readonly reserved?: number;
  readonly limit: number;
  readonly className?: string;
}

/** How much of a budget is spent, and in a lighter colour how much is reserved. */
export function BudgetBar({ spent, reserved = 0, limit, className = '' }: BudgetBarProps) {
  const used = usedShare({ spent, reserved, limit });
  const spentShare = Math.min(1, usedShare({ spent, limit }));
  const tone = used >= 1 ? 'bg-bad' : used >= NEARLY ? 'bg-warn' : 'bg-accent';
  return (
    <span className={`flex h-2 overflow-hidden rounded-full border border-line bg-surface ${className}`}>
      <span className={tone} style={{ width: `${spentShare * 100}%` }} />
      <span className={`${tone} opacity-50`} style={{ width: `${(Math.min(1, used) - spentShare) * 100}%` }} />
    </span>
  );
}

/** A budget of zero is used up. */
export const usedShare = ({ spent, reserved = 0, limit }: Omit<BudgetBarProps, 'className'>): number =>
  limit > 0 ? (spent + reserved) / limit : 1;
