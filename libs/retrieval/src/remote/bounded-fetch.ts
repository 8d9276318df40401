import { AnswerTooLarge } from './failures.ts';

/**
 * A `fetch` for addresses from the administrator's configuration. It reads the whole answer up to a limit and follows no redirects, because a
 * redirect would send the credentials to another address. The limit counts decompressed bytes.
 */
export function boundedFetch(mostBytes: number): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await globalThis.fetch(input, { ...init, redirect: 'error' });
    const body = await bytesOf(answer, mostBytes);
    const { status, statusText, headers } = answer;
    return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers: withoutEncoding(headers) });
  };
}

async function bytesOf({ body }: Response, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop with an error cancels the body, which closes the connection.
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > mostBytes) throw new AnswerTooLarge(mostBytes);
    parts.push(part);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** The body is already decompressed. */
function withoutEncoding(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return kept;
}
