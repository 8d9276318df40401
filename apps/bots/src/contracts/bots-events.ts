import { BotCreated, BotDeleted } from '@parlance/contracts';
import { publishing, say } from '@parlance/foundation';
import type { BotEvent } from '../domain/bot.ts';

export const publishBots = publishing<BotEvent>('bots', {
  BotCreated: (event, botId) => say(BotCreated, { bot_id: botId, owner_user_id: event.ownerUserId, title: event.title }),
  BotDeleted: (event, botId) => say(BotDeleted, { bot_id: botId, owner_user_id: event.ownerUserId }),
  BotDeletedWithOwner: (event, botId) => say(BotDeleted, { bot_id: botId, owner_user_id: event.ownerUserId }),
});
