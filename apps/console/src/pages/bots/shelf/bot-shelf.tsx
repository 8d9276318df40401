import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useBotChoiceMessages } from '../../../messages/bot-choice-messages.ts';
import { BotIcon } from '../icon/bot-icon.tsx';
import { BotMarks } from './bot-marks.tsx';
import { joined, starredFirst } from './shelf.ts';
import { pinnedBotsQuery, recentBotsQuery } from './shelf-queries.ts';

const MOST_SHOWN = 6;

/**
 * Bots on the page of a new chat: recently used ones, starred ones first, then those that the administrators have pinned. The pinned bots
 * are only read if there is space for them, because each page should need few requests.
 */
export function BotShelf({ projectId }: { readonly projectId: string | null }) {
  const texts = useBotChoiceMessages();
  const recent = useQuery(recentBotsQuery).data?.bots;
  const hasSpace = recent !== undefined && recent.length < MOST_SHOWN;
  const pinned = useQuery({ ...pinnedBotsQuery, enabled: hasSpace }).data?.bots;
  const bots = joined(starredFirst(recent ?? []), hasSpace ? pinned : undefined).slice(0, MOST_SHOWN);
  if (bots.length === 0) return null;
  return (
    <section aria-labelledby="bot-shelf" className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="bot-shelf" className="text-sm font-medium text-muted">
          {texts.yourBots}
        </h2>
        <Link to="/bots" className="inline-flex min-h-6 items-center text-xs text-accent hover:underline max-sm:min-h-11">
          {texts.allBots}
        </Link>
      </div>
      <ul className="grid grid-cols-3 gap-2 max-md:grid-cols-2 max-sm:grid-cols-1">
        {bots.map((bot) => (
          <li key={bot.id} className="min-w-0">
            <Link
              to="/"
              search={{ bot: bot.id, ...(projectId !== null && { project: projectId }) }}
              preload={false}
              className="flex h-full min-h-11 items-center gap-2.5 rounded-md border border-line bg-raised p-2.5 hover:bg-surface"
            >
              <BotIcon bot={bot} />
              <span className="flex min-w-0 grow flex-col">
                <span dir="auto" className="truncate text-sm font-medium">
                  {bot.title}
                </span>
                {bot.description !== '' && (
                  <span dir="auto" className="truncate text-xs text-muted">
                    {bot.description}
                  </span>
                )}
              </span>
              <BotMarks bot={bot} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
