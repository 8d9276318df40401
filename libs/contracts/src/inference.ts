import { z } from 'zod';
import { type DataOf, id, nanoDollars, publicEvent, tokens } from './public-event.ts';

const place = { conversation_id: id, reply_id: id, user_id: id, bot_id: id.nullable(), model: id };

export const MessageSubmitted = publicEvent(
  'parlance.inference.message-submitted.v1',
  'A message was accepted; its reply is owed.',
  z.strictObject({ ...place, message_id: id }),
);
export type MessageSubmitted = DataOf<typeof MessageSubmitted>;

export const ReplyCompleted = publicEvent(
  'parlance.inference.reply-completed.v1',
  'A reply is stored, and charged to the user and the bot of its conversation.',
  z.strictObject({
    ...place,
    usage: z.strictObject({
      input_tokens: tokens,
      output_tokens: tokens,
      cache_read_tokens: tokens,
      cache_write_tokens: tokens,
      estimated: z.boolean(),
    }),
    cost_nano_dollars: nanoDollars,
  }),
);
export type ReplyCompleted = DataOf<typeof ReplyCompleted>;

export const ReplyFailed = publicEvent(
  'parlance.inference.reply-failed.v1',
  'No reply will come; the code says why.',
  z.strictObject({ ...place, code: z.string() }),
);
export type ReplyFailed = DataOf<typeof ReplyFailed>;
