import { queryOptions } from '@tanstack/react-query';
import { parlance } from '../../../session/parlance.ts';
import { liveReplies } from '../live/replies.ts';

/** How an ended reply was made, and its tokens. */
export const detailsQuery = (conversationId: string, replyId: string) =>
  queryOptions({ queryKey: ['reply-details', conversationId, replyId], queryFn: () => detailsOf(conversationId, replyId) });

async function detailsOf(conversationId: string, messageId: string) {
  const path = { conversationId, messageId };
  const [provenance, usage] = await Promise.all([
    parlance.api.get('/conversation/{conversationId}/{messageId}/provenance', { path }),
    liveReplies.of(messageId)?.usage ?? usageOf(conversationId, messageId),
  ]);
  return { ...provenance, usage };
}

/** Reads the tokens of a stored reply, which this page has not received, from the end of its stream. */
async function usageOf(conversationId: string, messageId: string) {
  for await (const { event, data } of parlance.conversations.follow(conversationId, messageId)) if (event === 'done') return data.usage;
  return null;
}
