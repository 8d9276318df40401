import type { BotItemPage } from '@parlance/client/types';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';
import { botQuery } from '../bot-queries.ts';

/** The star is shown immediately. Lists are read again, because a bot may enter or leave them. */
export async function star(botId: string, starred: boolean): Promise<void> {
  const show = (isStarred: boolean) => {
    queryClient.setQueryData(botQuery(botId).queryKey, (bot) => bot && { ...bot, is_starred: isStarred });
    queryClient.setQueriesData<BotItemPage>({ queryKey: ['bots'] }, (page) =>
      page?.bots === undefined
        ? page
        : { ...page, bots: page.bots.map((bot) => (bot.id === botId ? { ...bot, is_starred: isStarred } : bot)) },
    );
  };
  show(starred);
  try {
    await parlance.api.patch('/bot/{botId}/starred', { path: { botId }, body: { starred } });
  } catch (error) {
    show(!starred);
    throw error;
  }
  for (const list of ['starred', 'shelf']) await queryClient.invalidateQueries({ queryKey: ['bots', list], refetchType: 'none' });
}
