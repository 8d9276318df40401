import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useBotChoiceMessages } from '../../../messages/bot-choice-messages.ts';
import { BotIcon } from '../icon/bot-icon.tsx';
import { BotMarks } from './bot-marks.tsx';
import { isIndexing, shelfQuery } from './shelf-queries.ts';

const MOST_SHOWN = 8;

export function OpenedBots() {
  const texts = useBotChoiceMessages();
  const shelf = useQuery(shelfQuery);
  const bots = shelf.data?.bots ?? [];
  if (bots.length === 0) {
    if (shelf.isPending && !isIndexing(shelf.failureReason)) return null;
    return <p className="px-2.5 pb-1 text-xs text-muted">{shelf.isPending ? texts.preparing : texts.noBots}</p>;
  }
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
