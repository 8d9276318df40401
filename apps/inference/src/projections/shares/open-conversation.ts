import { query } from '../../bus.ts';
import { conversationRows } from '../messages/message-rows.ts';

/** Whether the conversation exists and its deletion has not begun. */
export const IsOpenConversation = query('IsOpenConversation', async (models, conversationId: string): Promise<boolean> => {
  const row = await models.get(conversationRows, conversationId);
  return row !== null && !row.is_closed;
});
