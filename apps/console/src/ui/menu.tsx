import { cloneElement, type ReactElement, Suspense, useRef, useState } from 'react';
import type { ButtonProps } from 'react-aria-components';
import type { MenuEntry } from './opened-menu.tsx';
import { lazyPart } from './lazy-part.tsx';

const OpenedMenu = lazyPart(() => import('./opened-menu.tsx'), 'OpenedMenu');

interface Props {
  readonly label: string;
  /** The button. It receives the props that open the menu. */
  readonly trigger: ReactElement<ButtonProps & { readonly ref?: unknown }>;
  readonly entries: readonly MenuEntry[];
}

/** A button that opens a list of actions. */
export function Menu({ label, trigger, entries }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {cloneElement(trigger, { ref: button, onPress: () => setOpen(!isOpen), 'aria-haspopup': 'menu', 'aria-expanded': isOpen })}
      {isOpen && (
        <Suspense>
          <OpenedMenu label={label} entries={entries} trigger={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
