/** Each entry is sealed under its own key, which is nested in the user's key and destroyed when the entry is removed. */
export const memorySubject = (memoryId: string, userId: string) => ({ id: `memory:${memoryId}`, within: `user:${userId}` });
