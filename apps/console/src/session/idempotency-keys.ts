/** Requests that reuse keys: messages, bots, copies of bots, projects, and prompts. Other responses contain a secret that a repeat would not return. */
const PATHS = /\/(conversation|bot|duplicate|projects|prompts)$/;
const HEADER = 'idempotency-key';
const STORED = 'parlance.unanswered';
const MOST_KEPT = 4;

type Unanswered = readonly (readonly [request: string, key: string])[];

/**
 * A request without an answer may still have been recorded. If the user sends the same request again, it reuses the key, so that the server
 * records it once. The keys are kept for the tab, since a user without an answer is likely to reload the page.
 */
export function withReusedKeys(
  fetch: typeof globalThis.fetch,
  tab = () => sessionStorage as Pick<Storage, 'getItem' | 'setItem'>,
): typeof fetch {
  const kept = () => JSON.parse(tab().getItem(STORED) ?? '[]') as Unanswered;
  const keepBut = (request: string, added: Unanswered) =>
    tab().setItem(STORED, JSON.stringify([...kept().filter(([each]) => each !== request), ...added].slice(-MOST_KEPT)));
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const made = headers.get(HEADER);
    if (made === null || typeof input !== 'string' || typeof init?.body !== 'string' || !PATHS.test(input)) return fetch(input, init);
    const request = `${input} ${fingerprint(init.body)}`;
    const key = kept().find(([each]) => each === request)?.[1] ?? made;
    keepBut(request, [[request, key]]);
    headers.set(HEADER, key);
    const answer = await fetch(input, { ...init, headers });
    // A 429 may be caused by the first request, which is still running.
    if (answer.status < 500 && answer.status !== 429) keepBut(request, []);
    return answer;
  };
}

/** The length and two sums of a text, because a body with files is too large to be stored. `crypto.subtle` is missing on pages without HTTPS. */
function fingerprint(text: string): string {
  let [a, b] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = (Math.imul(a, 31) + code) | 0;
    b = Math.imul(b ^ code, 0x5bd1e995);
  }
  return `${text.length} ${a} ${b}`;
}
