import { ChevronDown, ChevronRight } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useBotChoiceMessages } from '../../../messages/bot-choice-messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { lazyPart, Nothing } from '../../../ui/lazy-part.tsx';

const OpenedBots = lazyPart(() => import('./opened-bots.tsx'), 'OpenedBots', Nothing);

const KEY = 'parlance.sidebar-bots';

/** Starred, recently used and pinned bots in the navigation. They are read when the user opens the list, which this browser remembers. */
export function SidebarBots() {
  const texts = useBotChoiceMessages();
  const [isOpen, setOpen] = useState(() => localStorage.getItem(KEY) === 'open');
  const toggle = () => {
    localStorage.setItem(KEY, isOpen ? 'closed' : 'open');
    setOpen(!isOpen);
  };
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <section>
      <div className="flex items-center">
        <h2 className="grow px-2.5 text-xs font-medium text-muted">{texts.yourBots}</h2>
        <IconButton label={isOpen ? texts.hideBots : texts.showBots} aria-expanded={isOpen} onPress={toggle}>
          <Chevron aria-hidden className="size-4 rtl:-scale-x-100" />
        </IconButton>
      </div>
      {isOpen && (
        <Suspense>
          <OpenedBots />
        </Suspense>
      )}
    </section>
  );
}
