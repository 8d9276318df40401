import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useBotChoiceMessages } from '../../../messages/bot-choice-messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { BotIcon } from '../icon/bot-icon.tsx';
import { BotMarks } from './bot-marks.tsx';
import { shelfQuery } from './shelf-queries.ts';

const KEY = 'parlance.sidebar-bots';
const MOST_SHOWN = 8;

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
      {isOpen && <OpenedBots />}
    </section>
  );
}

function OpenedBots() {
  const texts = useBotChoiceMessages();
  const shelf = useQuery(shelfQuery);
  const bots = shelf.data?.bots ?? [];
  if (bots.length === 0) return shelf.isPending ? null : <p className="px-2.5 pb-1 text-xs text-muted">{texts.noBots}</p>;
  return (
    <ul className="flex flex-col gap-0.5">
      {bots.slice(0, MOST_SHOWN).map((bot) => (
        <li key={bot.id}>
          <Link
            to="/"
            search={{ bot: bot.id }}
            activeOptions={{ exact: true }}
            preload={false}
            className="flex min-h-9 items-center gap-2 rounded-sm px-2.5 text-sm hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent max-md:min-h-11"
          >
            <BotIcon bot={bot} />
            <span dir="auto" className="min-w-0 grow truncate">
              {bot.title}
            </span>
            <BotMarks bot={bot} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
