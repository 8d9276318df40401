/** Branches of one conversation that may wait for their replies at the same time. */
export const MAX_RUNNING_REPLIES = 100;
/** Model calls of one reply that may end with calls of tools. Behind the last one the model has to answer. */
export const MAX_TOOL_ROUNDS = 10;
/** Calls of tools that one model call may make. The others are left out. */
export const MAX_CALLS_OF_A_ROUND = 16;
/** Messages that one step of an erasure removes at most, so that its event and the write of its rows stay small. */
export const MESSAGES_REMOVED_AT_ONCE = 500;
