import type { BotCreated, BotDeleted, BotNarrowed, BotWidened } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { foreignProjection, put, remove, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';

/** A bot and its owner, only used to decide whether a caller may learn that the bot is not published. */
export interface KnownBot {
  bot_id: string;
  owner_user_id: string;
  is_private: boolean;
}

const knownBotRows = table<KnownBot>('known_bots');

type Received =
  | CloudEvent<BotCreated, 'parlance.bots.bot-created.v1'>
  | CloudEvent<BotWidened, 'parlance.bots.bot-widened.v1'>
  | CloudEvent<BotNarrowed, 'parlance.bots.bot-narrowed.v1'>
  | CloudEvent<BotDeleted, 'parlance.bots.bot-deleted.v1'>;

const shared = ({ data: { bot_id, shared_scope } }: { data: BotWidened | BotNarrowed }) => [
  update(knownBotRows, bot_id, (row) => row && { ...row, is_private: shared_scope === 'private' }),
];

export const knownBots = foreignProjection<Received>({
  name: 'known-bots',
  version: 2,
  tables: [knownBotRows],
  on: {
    'parlance.bots.bot-created.v1': ({ data }) => [
      put(knownBotRows, data.bot_id, { bot_id: data.bot_id, owner_user_id: data.owner_user_id, is_private: true }),
    ],
    'parlance.bots.bot-widened.v1': shared,
    'parlance.bots.bot-narrowed.v1': shared,
    'parlance.bots.bot-deleted.v1': ({ data }) => [remove(knownBotRows, data.bot_id)],
  },
});

export const KnownBotById = query('KnownBotById', async (models, botId: string): Promise<KnownBot | null> => {
  return models.get(knownBotRows, botId);
});
