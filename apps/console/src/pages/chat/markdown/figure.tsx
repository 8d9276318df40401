import type { ReactNode, Ref } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';

interface Props {
  readonly name: string;
  /** The text that the copy button copies. */
  readonly code: string;
  /** Shown before the copy button. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLElement>;
}

/** A titled frame for code and diagrams in a model's text. */
export function Figure({ name, code, actions, children, ref }: Props) {
  const { chat } = useMessages();
  return (
    <figure ref={ref} className="my-3 overflow-hidden rounded-md border border-line bg-code">
      <figcaption className="flex flex-wrap items-center justify-end gap-x-2 border-b border-line py-0.5 ps-3 pe-1 text-xs text-muted">
        <span className="min-w-0 grow truncate">{name}</span>
        {actions}
        <CopyButton text={code} label={chat.copyCode} />
      </figcaption>
      {children}
    </figure>
  );
}
