import { isIP } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { AddressRules } from './addresses.ts';
import { FetchRefused } from './fetch-refused.ts';
import { guardedLookup, type Lookup } from './guarded-lookup.ts';

/** Bytes of the headers of one answer. */
export const MAX_HEADER_BYTES = 32 * 1024;

/** From the name lookup to the open connection. */
export const CONNECT_TIMEOUT_MILLIS = 10_000;

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeoutMillis: number;
}

export type Connector = ReturnType<typeof buildConnector>;

/**
 * Opens sockets only to checked addresses. `net.connect` does no lookup for an IP address in the URL, so that address is checked here.
 * Certificates are verified even if the environment disables it.
 */
export function guardedConnector(rules: AddressRules, lookup: Lookup): Connector {
  const connect = buildConnector({
    lookup: guardedLookup(lookup, rules),
    timeout: CONNECT_TIMEOUT_MILLIS,
    rejectUnauthorized: true,
    allowH2: false,
    maxCachedSessions: 0,
  });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !rules.allows(options.hostname)) callback(new FetchRefused('address_forbidden'), null);
    else connect(options, callback);
  };
}

/**
 * One request on a connection of its own, which is closed with the answer. A kept connection would outlive the check of its address, and a pool
 * of connections to arbitrary hosts would need a bound. Proxies from the environment are not used.
 */
export async function exchange(url: URL, request: ExchangeRequest, connect: Connector, ends: AbortSignal) {
  const client = new Client(url.origin, {
    connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: request.timeoutMillis,
    bodyTimeout: request.timeoutMillis,
  });
  // The signal of a request does not end the wait for its connection.
  const stop = () => void client.destroy(ends.reason as Error).catch(() => {});
  ends.addEventListener('abort', stop, { once: true });
  const release = () => {
    ends.removeEventListener('abort', stop);
    void client.destroy().catch(() => {});
  };
  try {
    const { method, headers, body } = request;
    const answer = await client.request({
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...headers },
      body,
      signal: ends,
      reset: true,
    });
    answer.body.once('close', release);
    return answer;
  } catch (error) {
    release();
    throw error;
  }
}
