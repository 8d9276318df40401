/** A conversation's content is sealed under its own key, which is nested in its user's key. */
export const conversationSubject = (conversationId: string, userId: string) => ({
  id: `conversation:${conversationId}`,
  within: `user:${userId}`,
});
