/** Messages, bots, and copies of bots. The answers to others have a secret that is shown once: a repeat of these would not have it. */
const PATHS = /\/(conversation|bot|duplicate)$/;
const HEADER = 'idempotency-key';
/** Each has the body of a request in memory. */
const MOST_KEPT = 4;

/**
 * A request without an answer may have been recorded. When the user sends the same one again, it gets the key of the first one, so that
 * the server records it once.
 */
export function sameKeyAgain(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
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
    // A refusal with 429 may be because of the first one, which is still under way.
    if (answer.status < 500 && answer.status !== 429) unanswered.delete(request);
    return answer;
  };
}
