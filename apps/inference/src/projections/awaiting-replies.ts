import { query } from '../bus.ts';
import { ownerKey } from '../domain/conversation-owner.ts';
import { listedRows } from './conversation-list.ts';
import { pendingReplyRows } from './messages/message-rows.ts';

interface AwaitingReply {
  readonly replyId: string;
  /** The title of its conversation, sealed. Null for conversations in older logs. */
  readonly title: string | null;
}

/** Those of the replies with these IDs that wait for an approval of this user. */
export const AwaitingReplies = query(
  'AwaitingReplies',
  async (models, ids: readonly string[], userId: string): Promise<readonly AwaitingReply[]> => {
    const holder = ownerKey({ userId });
    const pending = [...(await models.getMany(pendingReplyRows, ids)).values()];
    const awaiting = pending.filter((row) => row.is_awaiting === 1 && row.holder === holder);
    const listed = await models.getMany(
      listedRows,
      awaiting.map(({ conversation_id }) => conversation_id),
    );
    return awaiting.flatMap(({ reply_id, conversation_id }) => {
      const conversation = listed.get(conversation_id);
      return conversation ? [{ replyId: reply_id, title: conversation.title }] : [];
    });
  },
);
