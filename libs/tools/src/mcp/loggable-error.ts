import { FetchRefused } from '@parlance/guarded-fetch';
import { ConnectionRequired } from './credentials.ts';
import { TooManySessions } from './mcp-sessions.ts';

/** Thrown by Parlance itself, so nothing in them was written by a server. */
const OURS = [FetchRefused, ConnectionRequired, TooManySessions];

const MOST_CAUSES = 5;

/** Names of classes, and codes of the client. Codes of servers are in small letters. */
const OUR_WORD = /^(?:[A-Z][A-Za-z]{0,59}|[A-Z_]{1,60})$/;

/**
 * What may be logged of an error of a server: its kind, its code and its status. What the server has written is left out, because it may
 * have tokens and texts of users.
 */
export function loggableError(error: unknown): Error {
  for (let each = error, depth = 0; each instanceof Error && depth < MOST_CAUSES; each = each.cause, depth++)
    if (OURS.some((kind) => each instanceof kind)) return each;
  const { name, code, status } = error instanceof Error ? (error as Error & { code?: unknown; status?: unknown }) : {};
  const told = [code, status].filter((part) => typeof part === 'number' || isOurs(part));
  const message = ['The server gave no valid answer', ...told].join(', ');
  return Object.assign(new Error(`${message}.`), isOurs(name) && { name });
}

const isOurs = (word: unknown): boolean => typeof word === 'string' && OUR_WORD.test(word);
