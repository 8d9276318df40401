import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isIndexing } from './shelf-queries.ts';
import { useBotChoiceMessages } from '../../../messages/bot-choice-messages.ts';
import { mayCreateBots, useMe } from '../../../session/use-me.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { BotIcon } from '../icon/bot-icon.tsx';
import { BotMarks } from './bot-marks.tsx';
import type { ShelfBot } from './shelf.ts';
import { shelfQuery } from './shelf-queries.ts';

const MOST_SHOWN = 6;

/** Bots on the page of a new chat: starred ones, then recently used ones, then those that the administrators have pinned. */
export function BotShelf({ projectId }: { readonly projectId: string | null }) {
  const texts = useBotChoiceMessages();
  const { data, failureReason } = useQuery(shelfQuery);
  if (data === undefined && !isIndexing(failureReason)) return null;
  const bots = data?.bots ?? [];
  return (
    <section aria-labelledby="bot-shelf" className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="bot-shelf" className="text-sm font-medium text-muted">
          {texts.yourBots}
        </h2>
        {bots.length > 0 && (
          <Link to="/bots" className="inline-flex min-h-6 items-center text-xs text-accent hover:underline max-sm:min-h-11">
            {texts.allBots}
          </Link>
        )}
      </div>
      {data === undefined ? (
        <p role="status" className="text-xs text-muted">
          {texts.preparing}
        </p>
      ) : bots.length === 0 ? (
        <NoBots />
      ) : (
        <ul className="grid grid-cols-3 gap-2 max-md:grid-cols-2 max-sm:grid-cols-1">
          {bots.slice(0, MOST_SHOWN).map((bot) => (
            <li key={bot.id} className="min-w-0">
              <Tile bot={bot} projectId={projectId} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Tile({ bot, projectId }: { readonly bot: ShelfBot; readonly projectId: string | null }) {
  return (
    <Link
      to="/"
      search={{ bot: bot.id, ...(projectId !== null && { project: projectId }) }}
      preload={false}
      className="flex h-full min-h-11 items-start gap-3 rounded-md border border-line bg-raised p-3 hover:border-control hover:bg-surface"
    >
      <BotIcon bot={bot} size="medium" />
      <span className="flex min-h-10 min-w-0 grow flex-col justify-center">
        <span dir="auto" className="truncate text-sm font-medium">
          {bot.title}
        </span>
        {bot.description !== '' && (
          <span dir="auto" className="line-clamp-2 text-xs text-muted">
            {bot.description}
          </span>
        )}
      </span>
      <BotMarks bot={bot} />
    </Link>
  );
}

/** For users who have not used a bot yet, if the administrators have pinned none. */
function NoBots() {
  const texts = useBotChoiceMessages();
  const me = useMe();
  return (
    <div className="flex flex-col items-center gap-3 rounded-md border border-dashed border-line p-4 text-center">
      <p className="text-xs text-muted">{texts.shelfEmpty}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <LinkButton size="small" href="/store">
          {texts.toStore}
        </LinkButton>
        {mayCreateBots(me) && (
          <LinkButton size="small" href="/bots/new">
            {texts.create}
          </LinkButton>
        )}
      </div>
    </div>
  );
}
