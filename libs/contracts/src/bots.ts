import { z } from 'zod';
import { type DataOf, id, publicEvent } from './public-event.ts';

export const BotCreated = publicEvent(
  'parlance.bots.bot-created.v1',
  'A bot was created; it is private to its owner.',
  z.strictObject({ bot_id: id, owner_user_id: id, title: z.string() }),
);
export type BotCreated = DataOf<typeof BotCreated>;

export const BotDeleted = publicEvent(
  'parlance.bots.bot-deleted.v1',
  'A bot is gone for good.',
  z.strictObject({ bot_id: id, owner_user_id: id }),
);
export type BotDeleted = DataOf<typeof BotDeleted>;
