import type { ReactNode } from 'react';

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly note?: ReactNode;
}

/** The most important numbers of a page. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-md border border-line bg-line">
      {figures.map(({ name, value, note }) => (
        <div key={name} className="flex grow basis-40 flex-col bg-raised px-4 py-3 max-sm:basis-36">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="text-lg font-semibold tabular-nums">{value}</dd>
          {note !== undefined && <dd className="text-xs text-muted">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
