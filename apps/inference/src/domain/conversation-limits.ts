/** Branches of one conversation that may wait for their replies at the same time. */
export const MAX_RUNNING_REPLIES = 100;
/** Messages that one step of an erasure removes at most, so that its event and the write of its rows stay small. */
export const MESSAGES_REMOVED_AT_ONCE = 500;
