/** Headers that a browser may send if its preflight names none. */
export const USUAL = 'Authorization, Content-Type, x-api-key, Idempotency-Key';
/** Headers that a browser may send. The SDKs describe themselves in headers whose names differ between versions, and in `User-Agent`. */
const SENT =
  /^(accept|authorization|content-type|x-api-key|idempotency-key|if-match|if-none-match|last-event-id|prefer|user-agent|x-request-id|x-parlance-cache|(x-stainless|openai|anthropic|mcp)-[a-z0-9-]{1,64})$/;
/** The most header names of a preflight that are read. */
const MOST_NAMES = 64;

/** The headers that a browser may send, of those that its preflight names. */
export const allowedOf = (asked: string): string =>
  asked
    .toLowerCase()
    .split(',', MOST_NAMES)
    .map((name) => name.trim())
    .filter((name) => SENT.test(name))
    .join(', ');
