import { z } from 'zod';
import { type DataOf, id, nanoDollars, publicEvent, userId } from '../public-event.ts';
import { place } from './parts.ts';

const importedPlace = {
  import_name: id.describe("Name of the operator's import run."),
  conversation_id: place.conversation_id,
  user_id: userId,
  bot_id: place.bot_id,
  messages: z.int().nonnegative().describe('Number of messages and replies that came with this event.'),
  days: z
    .array(z.strictObject({ day: z.iso.date(), queries: z.int().nonnegative(), replies: z.int().nonnegative() }))
    .max(1_000)
    .describe('Messages of the user and replies by the day (UTC) on which they were written.'),
  ratings: z
    .array(
      z.strictObject({
        reply_id: place.reply_id,
        at: z.iso.datetime(),
        thumbs_up: z.boolean(),
        category: z.string().nullable(),
        has_comment: z.boolean(),
      }),
    )
    .max(1_000)
    .describe('Ratings of replies, as of the time of the reply.'),
};

export const ConversationImported = publicEvent(
  'parlance.inference.conversation-imported.v1',
  'Published when a conversation of another product is imported, with its first messages. Its cost in the other product is charged at the time of use. For a conversation that programs had through a published API, only the cost is imported, without messages, and is charged to the bot and its owner.',
  z.strictObject({
    ...importedPlace,
    model: place.model,
    used_at: z.iso.datetime().describe('Time of its newest message, to which the cost belongs.'),
    cost_nano_dollars: nanoDollars('Cost of the conversation.'),
  }),
  // Imported messages are not audited, like messages written here. The users and bots of an import have their own entries.
  null,
);
export type ConversationImported = DataOf<typeof ConversationImported>;

export const MessagesImported = publicEvent(
  'parlance.inference.messages-imported.v1',
  'Published when further messages of an imported conversation are imported, because it is too long for one event.',
  z.strictObject(importedPlace),
  null,
);
export type MessagesImported = DataOf<typeof MessagesImported>;
