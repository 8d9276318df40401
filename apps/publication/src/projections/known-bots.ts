import type { BotCreated, BotDeleted } from '@parlance/contracts';
import { query } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { foreignProjection, put, remove, table } from '@parlance/read-models';

/** Bots and their owners. The owner of a bot may ask about its publication. */
export interface KnownBot {
  bot_id: string;
  owner_user_id: string;
}

const knownBotRows = table<KnownBot>('known_bots');

type Received = CloudEvent<BotCreated, 'parlance.bots.bot-created.v1'> | CloudEvent<BotDeleted, 'parlance.bots.bot-deleted.v1'>;

export const knownBots = foreignProjection<Received>({
  name: 'known-bots',
  version: 1,
  tables: [knownBotRows],
  on: {
    'parlance.bots.bot-created.v1': ({ data }) => [
      put(knownBotRows, data.bot_id, { bot_id: data.bot_id, owner_user_id: data.owner_user_id }),
    ],
    'parlance.bots.bot-deleted.v1': ({ data }) => [remove(knownBotRows, data.bot_id)],
  },
});

export const KnownBotById = query('KnownBotById', async (models, botId: string): Promise<KnownBot | null> => {
  return models.get(knownBotRows, botId);
});
