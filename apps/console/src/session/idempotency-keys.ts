/** Requests that reuse keys: messages, bots, copies of bots, projects, and prompts. Other responses contain a secret that a repeat would not return. */
const PATHS = /\/(conversation|bot|duplicate|projects|prompts)$/;
const HEADER = 'idempotency-key';
/** Each entry holds a request body in memory. */
const MOST_KEPT = 4;

/**
 * A request without an answer may still have been recorded. If the user sends the same request again, it reuses the key, so that the server
 * records it once.
 */
export function withReusedKeys(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const unanswered = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const made = headers.get(HEADER);
    if (made === null || typeof input !== 'string' || typeof init?.body !== 'string' || !PATHS.test(input)) return fetch(input, init);
    const request = `${input}\n${init.body}`;
    const key = unanswered.get(request) ?? made;
    unanswered.set(request, key);
    for (const oldest of unanswered.keys()) if (unanswered.size > MOST_KEPT) unanswered.delete(oldest);
    headers.set(HEADER, key);
    const answer = await fetch(input, { ...init, headers });
    // A 429 may be caused by the first request, which is still running.
    if (answer.status < 500 && answer.status !== 429) unanswered.delete(request);
    return answer;
  };
}
