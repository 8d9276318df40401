/** The conversation's content is sealed under a key of its own, which is within its user's key. */
export const conversationSubject = (conversationId: string, userId: string) => ({
  id: `conversation:${conversationId}`,
  within: `user:${userId}`,
});
