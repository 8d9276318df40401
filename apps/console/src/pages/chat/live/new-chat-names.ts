import type { Conversation } from '@parlance/client/types';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';

/** Chats started in this page that no model has named yet. */
const unnamed = new Set<string>();

export const nameAfterFirstReply = (conversationId: string): void => void unnamed.add(conversationId);
/** Called when the user has named the chat, so that no suggested name replaces it. */
export const keepName = (conversationId: string): void => void unnamed.delete(conversationId);

/** Gives a new chat the name that a model suggests. Otherwise it is named after its first words. */
export async function nameNewChat(conversationId: string): Promise<void> {
  if (!unnamed.has(conversationId)) return;
  const key = ['conversation', conversationId];
  try {
    const title = await parlance.conversations.proposedTitle(conversationId);
    // The user may have named it meanwhile.
    if (!unnamed.delete(conversationId)) return;
    if (title === '' || queryClient.getQueryData<Conversation>(key)?.title === title) return;
    await parlance.conversations.setTitle(conversationId, title);
    await queryClient.invalidateQueries({ queryKey: key });
  } catch {
    unnamed.delete(conversationId);
    // The chat keeps its first words. The user can rename it.
  }
}
