/** Shares of one conversation that may exist at the same time. */
export const MAX_SHARES_OF_CONVERSATION = 20;
/** Shares of one user that may exist at the same time. The state of the stream has them all. */
export const MAX_SHARES_OF_USER = 200;
/** Shares that a user may create in a day, including ended ones. Their snapshots stay in the log, where they can no longer be opened. */
export const MAX_SHARES_OF_DAY = 100;
/** Characters of the sealed snapshots that a user may create in a day. A snapshot has at most about 3.6 million. */
export const MAX_SHARED_OF_DAY = 64 * 1024 * 1024;
/** Messages and replies of one snapshot. */
export const MAX_SHARED_MESSAGES = 500;
/** Bytes of one snapshot as JSON. Sealed twice, it still fits into the largest commit of the event store. */
export const MAX_SNAPSHOT_BYTES = 2 * 1024 * 1024;
/** Bytes of JSON after which a page of a snapshot ends. A longer message has a page of its own. */
export const SNAPSHOT_PAGE_BYTES = 128 * 1024;
/** Messages of one page of a snapshot. */
export const SNAPSHOT_PAGE_MESSAGES = 100;
