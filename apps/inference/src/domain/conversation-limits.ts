/** Branches of one conversation that may wait for their replies at the same time. */
export const MAX_RUNNING_REPLIES = 100;
/** Model calls of one reply that may end with tool calls. After the last one the model has to answer. */
export const MAX_TOOL_ROUNDS = 10;
/** Tool calls that one model call may make. Further calls are left out. */
export const MAX_CALLS_OF_A_ROUND = 16;
/** Calls of one reply that cost something besides its model, such as images. */
export const MAX_PAID_CALLS = 4;
/** Messages that one step of an erasure removes at most, so that its event and its write to the read model stay small. */
export const MESSAGES_REMOVED_AT_ONCE = 500;
