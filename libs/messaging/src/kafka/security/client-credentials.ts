import type { OauthbearerProviderResponse } from 'kafkajs';

const TIMEOUT_MS = 10_000;
/** A new token is requested when this share of the token's lifetime is over. */
const USED_UNTIL = 0.8;

interface Grant {
  readonly tokenUrl: string | null;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly scope: string | null;
}

interface Token {
  readonly value: string;
  readonly until: number;
}

/** Tokens of the client credentials grant (RFC 6749, 4.4). A token is used for all connections until most of its lifetime is over. */
export function clientCredentials(grant: Grant, now = Date.now): () => Promise<OauthbearerProviderResponse> {
  let kept: Promise<Token> | null = null;
  return async () => {
    const before = kept;
    const current = await before?.catch(() => null);
    // Another connection may have fetched a token in the meantime.
    if (kept === before && (!current || now() >= current.until)) kept = request(grant, now);
    return { value: (await kept!).value };
  };
}

async function request({ tokenUrl, clientId, clientSecret, scope }: Grant, now: () => number): Promise<Token> {
  const requestedAt = now();
  const basic = [clientId, clientSecret].map((part) => encodeURIComponent(part ?? '')).join(':');
  const answer = await fetch(tokenUrl ?? '', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== null && { scope }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  const { access_token: value, expires_in: seconds } = answer.ok ? read(text) : {};
  // The answer may contain secrets, so it is not part of the message.
  if (typeof value !== 'string') throw new Error(`the token endpoint of kafkaSecurity.tokenUrl answered ${answer.status} without a token`);
  return { value, until: typeof seconds === 'number' ? requestedAt + seconds * 1_000 * USED_UNTIL : requestedAt };
}

function read(text: string): { readonly access_token?: unknown; readonly expires_in?: unknown } {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
