import { CopyButton } from '../../../../ui/copy-button.tsx';

/** A secret that the server shows only in this answer. */
export function ShownOnce({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-xs font-medium">{label}</span>
      <div className="flex items-center gap-2 rounded-sm border border-control bg-code py-1 ps-3 pe-1">
        <code className="min-w-0 grow font-mono text-xs break-all select-all">{value}</code>
        <CopyButton text={value} />
      </div>
    </div>
  );
}
