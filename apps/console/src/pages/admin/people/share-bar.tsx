import { formatPercent } from '../../../messages/format.ts';

/** A share of a whole as a bar with its number. */
export function ShareBar({ share }: { readonly share: number }) {
  return (
    <span className="flex min-w-32 items-center gap-2">
      <span aria-hidden className="h-2 min-w-16 grow overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-series-1" style={{ inlineSize: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
      </span>
      <span className="w-10 text-end text-xs text-muted tabular-nums">{formatPercent(share)}</span>
    </span>
  );
}
