import type { ReactNode, Ref } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';

interface Props {
  readonly name: string;
  /** For the button that copies it. */
  readonly code: string;
  /** Before that button. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLElement>;
}

/** A frame with a name, for code and diagrams in the text of a model. */
export function Figure({ name, code, actions, children, ref }: Props) {
  const { chat } = useMessages();
  return (
    <figure ref={ref} className="my-3 overflow-hidden rounded-md border border-line bg-code">
      <figcaption className="flex items-center gap-2 border-b border-line py-0.5 ps-3 pe-1 text-xs text-muted">
        <span className="min-w-0 grow truncate">{name}</span>
        {actions}
        <CopyButton text={code} label={chat.copyCode} />
      </figcaption>
      {children}
    </figure>
  );
}
