import { Readable } from 'node:stream';
import type { GuardedFetch } from '@parlance/guarded-fetch';
import { MOST_ANSWER_BYTES } from './limits.ts';

/** The part of the Web's `fetch` that the MCP and OAuth clients use. */
export type WebFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface WebFetchLimits {
  /** From the first lookup to the last byte of the answer. */
  readonly timeoutMillis: number;
  /** Ends the exchange, in addition to the call's signal. */
  readonly signal?: AbortSignal;
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);

/**
 * The Web's `fetch` over the guarded client: only allowed addresses, redirects within the same host, bounded time and bytes. Rejects with
 * `FetchRefused`, or with the reason of a signal.
 */
export function webFetch(fetch: GuardedFetch, { timeoutMillis, signal: outer }: WebFetchLimits): WebFetch {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    if (!METHODS.has(method)) throw new TypeError(`The method ${method} is not used here.`);
    const { accept, ...others } = Object.fromEntries(new Headers(headers));
    const signals = [outer, signal].filter((each) => each instanceof AbortSignal);
    const answer = await fetch.fetch(String(url), {
      method: method as 'GET' | 'POST' | 'DELETE',
      headers: others,
      ...(accept !== undefined && { accept }),
      ...(body != null && { body: textOf(body) }),
      maxBytes: MOST_ANSWER_BYTES,
      timeoutMillis,
      maxRedirects: 3,
      sameHostRedirectsOnly: true,
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    });
    const hasBody = !WITHOUT_BODY.has(answer.status);
    if (!hasBody) answer.dump();
    // The body is already decompressed.
    const { 'content-encoding': _coding, 'content-length': _length, ...passed } = answer.headers;
    const stream = hasBody ? (Readable.toWeb(answer.body) as unknown as ReadableStream) : null;
    return new Response(stream, { status: answer.status, headers: passed });
  };
}

function textOf(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('Only bodies of text are sent.');
}
