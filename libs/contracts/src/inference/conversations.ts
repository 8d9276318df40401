import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';
import { api, place } from './parts.ts';

export const ConversationDeleted = publicEvent(
  'parlance.inference.conversation-deleted.v1',
  'Published when a user or a retention rule deletes a conversation, or when it is erased along with its user. Afterwards, only charges for replies that were still being written are added. Remove what you have derived from its content; its costs remain.',
  z.strictObject({
    conversation_id: place.conversation_id,
    user_id: userId,
    bot_id: place.bot_id,
    api_id: api.api_id,
    because: z
      .enum(['deleted', 'user_erased', 'retention'])
      .describe(
        '`deleted`: its user deleted it, or it was temporary and has expired; with `api_id`, a program deleted it, or its publication was deleted. `user_erased`: its user was erased. `retention`: a retention rule deleted it.',
      ),
    rule_id: id.optional().describe('ID of the retention rule; present if `because` is `retention`.'),
    messages: z.int().nonnegative().describe('Number of its messages and replies.'),
  }),
  // No audit entry: users delete their own conversations, and the erasure of a user has its own entry.
  null,
);
export type ConversationDeleted = DataOf<typeof ConversationDeleted>;

export const MessageFilesExpired = publicEvent(
  'parlance.inference.message-files-expired.v1',
  'Published when a retention rule removes the images and attachments of a message. The message stays. Remove what you have derived from their content.',
  z.strictObject({
    conversation_id: place.conversation_id,
    message_id: id.describe('ID of the message.'),
    user_id: userId,
    bot_id: place.bot_id,
    api_id: api.api_id,
    files: z.int().positive().describe('Number of the files.'),
    rule_id: id.describe('ID of the retention rule.'),
  }),
  ({ message_id, ...facts }) => actionOn('message')('expire_files', message_id, facts),
);
export type MessageFilesExpired = DataOf<typeof MessageFilesExpired>;

export const FeedbackGiven = publicEvent(
  'parlance.inference.feedback-given.v1',
  'Published when a user rates a reply. A later rating of the same reply replaces the earlier one.',
  z.strictObject({
    conversation_id: place.conversation_id,
    reply_id: place.reply_id,
    user_id: userId,
    bot_id: place.bot_id,
    thumbs_up: z.boolean().describe('Whether the rating is positive.'),
    category: z.string().nullable().describe('Category of the rating; null without one.'),
    has_comment: z.boolean().describe('Whether the user wrote a comment. The event does not contain it.'),
  }),
  // No audit entry: rating a reply is use of a bot, not administration.
  null,
);
export type FeedbackGiven = DataOf<typeof FeedbackGiven>;
