import type { BotItem } from '@parlance/client/types';
import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useMessages } from '../../messages/index.ts';
import { BotIcon } from '../bots/icon/bot-icon.tsx';

/** Bots to choose from. The whole card is the link. */
export function BotCards({ bots, label }: { readonly bots: readonly BotItem[]; readonly label: string }) {
  return (
    <ul aria-label={label} className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3">
      {bots.map((bot) => (
        <BotCard key={bot.id} bot={bot} />
      ))}
    </ul>
  );
}

function BotCard({ bot }: { readonly bot: BotItem }) {
  const { store } = useMessages();
  const { id, title, description, is_starred } = bot;
  return (
    <li className="relative flex min-h-24 flex-col gap-2 rounded-md border border-line bg-raised p-4 hover:border-control hover:bg-surface">
      <div className="flex items-center gap-3">
        <BotIcon bot={bot} size="medium" />
        <Link
          to="/store/$botId"
          params={{ botId: id }}
          className="line-clamp-2 min-w-0 grow text-sm font-medium before:absolute before:inset-0 before:rounded-md"
        >
          {title}
        </Link>
        {is_starred && (
          <span className="self-start text-warn">
            <Star aria-hidden className="size-4 fill-current" />
            <span className="sr-only">{store.starred}</span>
          </span>
        )}
      </div>
      <p className="line-clamp-2 text-xs text-muted">{description || store.noDescription}</p>
    </li>
  );
}
