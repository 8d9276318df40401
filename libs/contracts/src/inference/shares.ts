import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';
import { place } from './parts.ts';

const share = {
  share_id: id.describe('ID of the share. It is not in the link.'),
  conversation_id: place.conversation_id,
  user_id: userId,
  audience: z
    .enum(['signed_in', 'public'])
    .describe('`signed_in`: signed-in users with the link. `public`: also anonymous callers with the link.'),
};

export const ConversationShared = publicEvent(
  'parlance.inference.conversation-shared.v1',
  'Published when a user shares a conversation by a link. The event contains neither the content nor any part of the link.',
  z.strictObject({
    ...share,
    bot_id: place.bot_id,
    expires_at: z.iso.datetime().nullable().describe('When the share ends; null if it does not end by itself.'),
    include_attachments: z.boolean().describe('Whether the files of messages are shared.'),
    include_sources: z.boolean().describe('Whether the texts that replies cite are shared.'),
    messages: z.int().positive().describe('Number of messages and replies that are shared.'),
  }),
  ({ conversation_id, ...terms }) => actionOn('conversation')('share_conversation', conversation_id, terms),
);
export type ConversationShared = DataOf<typeof ConversationShared>;

export const ShareRevoked = publicEvent(
  'parlance.inference.share-revoked.v1',
  'Published when a share ends. Its link no longer shows anything.',
  z.strictObject({
    ...share,
    reason: z
      .enum(['owner', 'admin', 'expired', 'conversation_deleted', 'user_erased'])
      .describe(
        '`owner`, `admin`: revoked by the owner or by an administrator. `expired`: its time has passed. The others: what it showed is deleted.',
      ),
  }),
  ({ share_id, ...ended }) => actionOn('share')('revoke_share', share_id, ended),
);
export type ShareRevoked = DataOf<typeof ShareRevoked>;
