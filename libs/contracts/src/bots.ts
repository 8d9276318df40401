import { z } from 'zod';
import { type DataOf, id, publicEvent, userId } from './public-event.ts';

const botId = id.describe('ID of the bot.');
const ownerUserId = userId.describe("ID of the bot's owner.");

export const BotCreated = publicEvent(
  'parlance.bots.bot-created.v1',
  'Published when a bot is created. A new bot is private to its owner.',
  z.strictObject({ bot_id: botId, owner_user_id: ownerUserId, title: z.string().describe('Title of the bot. Not sealed.') }),
);
export type BotCreated = DataOf<typeof BotCreated>;

export const BotDeleted = publicEvent(
  'parlance.bots.bot-deleted.v1',
  'Published when a bot is deleted by its owner, or because its owner is erased.',
  z.strictObject({ bot_id: botId, owner_user_id: ownerUserId }),
);
export type BotDeleted = DataOf<typeof BotDeleted>;
