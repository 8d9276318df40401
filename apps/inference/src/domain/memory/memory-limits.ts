/** Entries that a user's memory has at most. The state of the stream has the IDs of all. */
export const MAX_MEMORIES = 200;
/** Characters of an entry. */
export const MAX_MEMORY_TEXT = 500;
/** Entries that a model may add in one reply. */
export const MAX_MEMORIES_OF_REPLY = 3;
/** Tokens of the entries in a prompt. The newest ones are used. */
export const MEMORY_TOKENS = 2_000;
