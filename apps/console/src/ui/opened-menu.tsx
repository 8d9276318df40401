import type { ReactNode, RefObject } from 'react';
import { Menu as AriaMenu, MenuItem } from 'react-aria-components';
import { itemLook } from './fields/field-parts.tsx';
import { PopoverFrame } from './popover-frame.tsx';

export interface MenuEntry {
  readonly id: string;
  readonly name: string;
  readonly icon?: ReactNode;
  readonly onAction: () => void;
  readonly isDanger?: boolean;
}

interface Props {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The items of an opened menu. Loaded when a menu is first opened. */
export function OpenedMenu({ label, entries, trigger, onClose }: Props) {
  return (
    <PopoverFrame trigger={trigger} onClose={onClose} className="min-w-48 p-1">
      <AriaMenu aria-label={label} autoFocus="first" onClose={onClose} className="outline-none">
        {entries.map(({ id, name, icon, onAction, isDanger }) => (
          <MenuItem key={id} id={id} textValue={name} onAction={onAction} className={`${itemLook} ${isDanger ? 'text-bad' : ''}`}>
            {icon}
            {name}
          </MenuItem>
        ))}
      </AriaMenu>
    </PopoverFrame>
  );
}
