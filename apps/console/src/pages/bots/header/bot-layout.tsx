import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { Loaded } from '../../../ui/states.tsx';
import { botQuery, isRunning } from '../bot-queries.ts';
import { BotHeader } from './bot-header.tsx';

const route = getRouteApi('/signed-in/bots/$botId');
const POLL_MILLIS = 3_000;

/** The frame of all pages of a bot: its title, state and actions, and links to its pages. */
export function BotLayout() {
  const { botId } = route.useParams();
  const bot = useQuery({
    ...botQuery(botId),
    refetchInterval: ({ state }) => (isRunning(state.data?.sync_status) ? POLL_MILLIS : false),
  });
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-6 py-6 max-sm:px-4">
      <Loaded query={bot}>
        {(data) => (
          <>
            <BotHeader bot={data} />
            <Outlet key={botId} />
          </>
        )}
      </Loaded>
    </div>
  );
}
