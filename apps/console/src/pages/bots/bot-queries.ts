import { ParlanceError } from '@parlance/client';
import type { Bot, PrivateBot, Publication, User } from '@parlance/client/types';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { parlance } from '../../session/parlance.ts';
import { isAdmin, useMe } from '../../session/use-me.ts';

export const botQuery = (botId: string) => queryOptions({ queryKey: ['bot', botId], queryFn: () => parlance.bots.get(botId) });

/** The bot with its instruction and knowledge, for users who may change it. */
export const privateBotQuery = (botId: string) =>
  queryOptions({ queryKey: ['bot', botId, 'private'], queryFn: () => parlance.bots.getPrivate(botId) });

const POLL_MILLIS = 1_500;
export const isRunning = (status: Bot['sync_status'] | undefined): boolean => status === 'QUEUED' || status === 'RUNNING';

/** The newest run that reads the knowledge. It is polled while it runs. */
export const syncQuery = (botId: string) =>
  queryOptions({
    queryKey: ['bot', botId, 'sync'],
    queryFn: () => parlance.api.get('/bot/{botId}/knowledge/sync', { path: { botId } }),
    refetchInterval: ({ state }) => (isRunning(state.data?.sync_status) ? POLL_MILLIS : false),
  });

/** Null if the bot is not published. */
export const publicationQuery = (botId: string) =>
  queryOptions({
    queryKey: ['bot', botId, 'publication'],
    queryFn: async (): Promise<Publication | null> => {
      try {
        return await parlance.bots.publication(botId);
      } catch (error) {
        if (error instanceof ParlanceError && error.code === 'not_published') return null;
        throw error;
      }
    },
  });

/** The ETag of a version. */
export const etagOf = ({ version }: Pick<Bot, 'version'>): string => `"${version}"`;

/** Replaces the cached bot with the answer to a change. */
export function botChanged(bot: PrivateBot): void {
  queryClient.setQueryData(privateBotQuery(bot.id).queryKey, bot);
  queryClient.setQueryData(botQuery(bot.id).queryKey, bot);
  void queryClient.invalidateQueries({ queryKey: syncQuery(bot.id).queryKey });
  void queryClient.invalidateQueries({ queryKey: ['bot', bot.id, 'history'] });
  void queryClient.invalidateQueries({ queryKey: ['bots'] });
}

/** Other cached data of the bot may have changed. */
export async function botTouched(botId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['bots'] });
  await queryClient.invalidateQueries({ queryKey: ['bot', botId] });
}

/** Only usable below the bot's layout, which has read the bot. */
export const useBot = (botId: string): Bot => useSuspenseQuery(botQuery(botId)).data;

type Shared = Pick<Bot, 'owned' | 'shared_scope'>;

/** Whether a user may share, publish, restore and delete the bot. */
export const mayShare = (user: User, { owned, shared_scope: scope }: Shared): boolean => owned || (isAdmin(user) && scope !== 'private');

export const useMayShare = (bot: Shared): boolean => mayShare(useMe(), bot);
