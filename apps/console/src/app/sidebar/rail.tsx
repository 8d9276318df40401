import { useNavigate } from '@tanstack/react-router';
import { PanelLeftOpen, Plus, Search } from 'lucide-react';
import { type ReactNode, type Ref, Suspense } from 'react';
import { useMessages } from '../../messages/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { controlKey } from '../shortcuts/shortcuts.ts';

interface Props {
  readonly button: Ref<HTMLButtonElement>;
  readonly onShow: () => void;
  readonly onSearch: () => void;
  readonly bell: ReactNode;
}

/** A narrow column in place of the hidden navigation. Phones have a menu of their own. */
export function Rail({ button, onShow, onSearch, bell }: Props) {
  const { common } = useMessages();
  const navigate = useNavigate();
  return (
    <div className="flex shrink-0 flex-col gap-1 border-e border-line bg-surface p-2 max-md:hidden print:hidden">
      <IconButton ref={button} label={`${common.showNavigation} (${controlKey()}+B)`} aria-expanded={false} onPress={onShow}>
        <PanelLeftOpen aria-hidden className="size-4.5 rtl:-scale-x-100" />
      </IconButton>
      <IconButton label={`${common.commands} (${controlKey()}+K)`} onPress={onSearch}>
        <Search aria-hidden className="size-4.5" />
      </IconButton>
      <IconButton label={common.newChat} onPress={() => void navigate({ to: '/' })}>
        <Plus aria-hidden className="size-4.5" />
      </IconButton>
      <Suspense>{bell}</Suspense>
    </div>
  );
}
