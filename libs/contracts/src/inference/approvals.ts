import { z } from 'zod';
import { type DataOf, publicEvent } from '../public-event.ts';
import { place } from './parts.ts';

export const ApprovalWanted = publicEvent(
  'parlance.inference.approval-wanted.v1',
  'Published when a reply waits until its user has approved or denied calls of tools.',
  z.strictObject({
    conversation_id: place.conversation_id,
    reply_id: place.reply_id,
    user_id: place.user_id,
    bot_id: place.bot_id,
    expires_at: z.iso.datetime().describe('When the reply goes on without the calls.'),
  }),
  null,
);
export type ApprovalWanted = DataOf<typeof ApprovalWanted>;
