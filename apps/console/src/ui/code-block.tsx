import { CopyButton } from './copy-button.tsx';

/** Text to copy, such as a command or a configuration. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-code">
      <figcaption className="flex items-center justify-between gap-2 border-b border-line py-1 ps-3 pe-1 text-xs text-muted">
        {label}
        <CopyButton text={code} />
      </figcaption>
      <pre dir="ltr" className="overflow-x-auto p-3 font-mono text-xs" tabIndex={0} role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
