import type { ReadModels } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { messageKey, type MessageRow, messageRows, messagesOf } from '../messages/message-rows.ts';

/** Bytes of the first read. Usually the path is the end of the conversation. */
const READ_BYTES = 1024 * 1024;

/**
 * The messages from the first one to this one, the oldest first: the path that is shown when this is the current message. Null if it has more
 * than `most` messages or more sealed text than `bytes`. Empty if the conversation is being removed.
 */
export const ShownPath = query(
  'ShownPath',
  async (models, conversationId: string, lastMessageId: string, most: number, bytes: number): Promise<readonly MessageRow[] | null> => {
    const latest = await latestOf(models, conversationId, most);
    const path: MessageRow[] = [];
    let left = bytes;
    for (let at: string | null = lastMessageId; at !== null;) {
      const row: MessageRow | null = latest.get(at) ?? (await models.get(messageRows, messageKey(conversationId, at)));
      if (!row) return [];
      left -= row.content?.length ?? 0;
      if (path.length === most || left < 0) return null;
      path.push(row);
      at = row.parent;
    }
    return path.reverse();
  },
);

async function latestOf(models: ReadModels, conversationId: string, limit: number): Promise<ReadonlyMap<string, MessageRow>> {
  const { rows } = await models.find(messageRows, { ...messagesOf(conversationId), order: 'desc', limit, bytes: READ_BYTES });
  return new Map(rows.map((row) => [row.message_id, row]));
}
