import type { ReadModels } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { conversationRows, type ConversationRow, messageKey, type MessageRow, messageRows } from './message-rows.ts';

export interface MessageInConversation {
  readonly message: MessageRow;
  readonly conversation: ConversationRow;
}

/** A message of any owner. Null as soon as the conversation is being erased. */
export const MessageById = query(
  'MessageById',
  (models, conversationId: string, messageId: string): Promise<MessageInConversation | null> =>
    messageIn(models, conversationId, messageId),
);

/** As `MessageById`, but null if the conversation has another owner. */
export const OwnedMessage = query(
  'OwnedMessage',
  async (models, conversationId: string, messageId: string, holder: string): Promise<MessageInConversation | null> => {
    const found = await messageIn(models, conversationId, messageId);
    return found?.conversation.holder === holder ? found : null;
  },
);

async function messageIn(models: ReadModels, conversationId: string, messageId: string): Promise<MessageInConversation | null> {
  const [message, conversation] = await Promise.all([
    models.get(messageRows, messageKey(conversationId, messageId)),
    models.get(conversationRows, conversationId),
  ]);
  return message && conversation && !conversation.is_closed ? { message, conversation } : null;
}
