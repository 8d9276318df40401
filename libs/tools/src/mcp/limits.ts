/** How long a server has to answer, before its tools are left out of a reply: to connect and to list its tools. */
export const FIND_MILLIS = 3_000;
/** How long a server is left alone after it failed. */
export const PAUSE_MILLIS = 30_000;
/** Calls that must fail one after the other, until the server is left alone. */
export const FAILED_CALLS = 3;
/** How long the list of the tools of a server is used without asking again. */
export const LIST_MILLIS = 5 * 60_000;
/** Lists that a process keeps: one of each server, with OAuth one of each server and user. */
export const MOST_LISTS = 500;

/** Sessions that a process has open: one of each server and user. */
export const MOST_SESSIONS = 200;
/** A session that is not used for this time is closed. */
export const IDLE_MILLIS = 5 * 60_000;
/** How long a server has to take note of the end of a session. */
export const END_MILLIS = 2_000;

/** Bytes of one answer of a server. */
export const MOST_ANSWER_BYTES = 512 * 1024;
/** Pages of one list of tools. */
export const MOST_PAGES = 10;
/** Characters of the description of a tool. */
export const MOST_DESCRIPTION = 2_000;
/** Characters of the JSON schema of the input of a tool. A tool with a longer one is left out. */
export const MOST_SCHEMA = 32 * 1024;
/** Levels of such a schema. */
export const MOST_LEVELS = 20;
/** Characters of all definitions of one server. Tools behind them are left out. */
export const MOST_DEFINITIONS = 256 * 1024;
/** Characters of the result of a call. The rest is cut off. */
export const MOST_RESULT = 64 * 1024;
