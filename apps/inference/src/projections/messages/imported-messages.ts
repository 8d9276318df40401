import type { ImportedMessage } from '../../domain/conversation-import.ts';
import type { MessageRow } from './message-rows.ts';

/** The row of a message from another product. Only the cost of the whole conversation is known. */
export const importedRow = (conversationId: string, userId: string, message: ImportedMessage): MessageRow => ({
  conversation_id: conversationId,
  message_id: message.id,
  user_id: userId,
  role: message.role,
  status: 'completed',
  model: message.model,
  parent: message.parentId,
  content: message.content,
  error: null,
  submitted_at: message.at,
  ...(message.files && { files: message.files }),
  ...(message.role === 'assistant' && { stop_reason: 'end_turn' }),
  ...(message.reasoning !== undefined && { reasoning: message.reasoning }),
  ...(message.usedChunks && { used_chunk_bytes: message.usedChunks.content.length }),
});
