import { FetchRefused } from '@parlance/guarded-fetch';
import { ConnectionRequired } from './credentials.ts';
import { TooManySessions } from './mcp-sessions.ts';

/** Errors thrown by Parlance itself: a server wrote nothing in them. */
const OURS = [FetchRefused, ConnectionRequired, TooManySessions];

const MOST_CAUSES = 5;

/** Class names, and error codes of the client. Error codes of servers are in lower case. */
const OUR_WORD = /^(?:[A-Z][A-Za-z]{0,59}|[A-Z_]{1,60})$/;

/**
 * The loggable part of a server's error: its kind, its code and its status. The server's own text is left out, because it may contain tokens and
 * user content.
 */
export function loggableError(error: unknown): Error {
  for (let each = error, depth = 0; each instanceof Error && depth < MOST_CAUSES; each = each.cause, depth++)
    if (OURS.some((kind) => each instanceof kind)) return each;
  const { name, code, status } = error instanceof Error ? (error as Error & { code?: unknown; status?: unknown }) : {};
  const reported = [code, status].filter((part) => typeof part === 'number' || isOurs(part));
  const message = ['The server gave no valid answer', ...reported].join(', ');
  return Object.assign(new Error(`${message}.`), isOurs(name) && { name });
}

const isOurs = (word: unknown): boolean => typeof word === 'string' && OUR_WORD.test(word);
