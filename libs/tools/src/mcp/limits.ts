/** How long a server may take to connect and list its tools before they are left out of a reply. */
export const FIND_MILLIS = 3_000;
/** How long a failed server is not contacted. */
export const PAUSE_MILLIS = 30_000;
/** Consecutive failed calls after which the server is not contacted for a while. */
export const FAILED_CALLS = 3;
/** How long the list of a server's tools is cached. */
export const LIST_MILLIS = 5 * 60_000;
/** Cached lists of a process: one per server, and one per server and user with OAuth. */
export const MOST_LISTS = 500;

/** Open sessions of a process: one per server and user. */
export const MOST_SESSIONS = 200;
/** An unused session is closed after this time. */
export const IDLE_MILLIS = 5 * 60_000;
/** How long a server may take to acknowledge the end of a session. */
export const END_MILLIS = 2_000;

/** Bytes of one answer from a server. */
export const MOST_ANSWER_BYTES = 512 * 1024;
/** Pages of one list of tools. */
export const MOST_PAGES = 10;
/** Characters of a tool's description. */
export const MOST_DESCRIPTION = 2_000;
/** Characters of the JSON schema of a tool's input. Tools with a longer schema are left out. */
export const MOST_SCHEMA = 32 * 1024;
/** Levels of such a schema. */
export const MOST_LEVELS = 20;
/** Characters of all definitions of one server. Tools past this limit are left out. */
export const MOST_DEFINITIONS = 256 * 1024;
/** Characters of a call's result. The rest is cut off. */
export const MOST_RESULT = 64 * 1024;
