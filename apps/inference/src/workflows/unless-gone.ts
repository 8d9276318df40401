import { conversationNotFound, isRefusal } from '../domain/conversation-refusals.ts';

/** Ignores that the user or another process has already deleted the conversation. */
export async function unlessGone(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!isRefusal(error, conversationNotFound())) throw error;
  }
}
