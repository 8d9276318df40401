import { AddressRules } from './addresses.ts';
import { type Connector, exchange, type ExchangeRequest, guardedConnector } from './exchange.ts';
import { Fetched } from './fetched.ts';
import { fetchedBody } from './fetched-body.ts';
import { FetchRefused, refusalFor } from './fetch-refused.ts';
import type { Lookup } from './guarded-lookup.ts';
import { boundedSystemLookup } from './system-lookup.ts';
import { checkedHeaders, targetOf } from './target.ts';

const DEFAULT_MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const DEFAULT_USER_AGENT = 'ParlanceBot';

export interface GuardedFetchOptions {
  /** Private ranges that the deployment allows, in CIDR notation. */
  readonly allowedPrivateRanges: readonly string[];
  readonly userAgent?: string;
  /** By default, the operating system's name resolution. */
  readonly lookup?: Lookup;
}

export interface FetchRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** They are not sent to another origin after a redirect. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly accept?: string;
  /** Bounds both the received and the decompressed bytes of the answer. */
  readonly maxBytes: number;
  /** Limits everything from the first lookup to the last byte of the body. */
  readonly timeoutMillis: number;
  /** 5 by default; 0 refuses every redirect. */
  readonly maxRedirects?: number;
  readonly sameHostRedirectsOnly?: boolean;
  /** Called with the target of each redirect. False refuses it; an error rejects the fetch. */
  readonly mayFollow?: (target: URL) => boolean | Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** Carries an error of `mayFollow` to the caller unchanged. It never leaves this file. */
class MayFollowFailed extends Error {}

interface Hop extends ExchangeRequest {
  readonly url: URL;
}

/**
 * HTTP for addresses that users name. Each connection goes to a checked address, each redirect is checked again, and size, time and number of
 * redirects are bounded.
 */
export class GuardedFetch {
  private readonly rules: AddressRules;
  private readonly connector: Connector;
  private readonly userAgent: string;
  private readonly running = new Set<AbortController>();
  private isClosed = false;

  /** Throws RangeError if an allowed range is not in CIDR notation. */
  constructor({ allowedPrivateRanges, userAgent = DEFAULT_USER_AGENT, lookup = boundedSystemLookup() }: GuardedFetchOptions) {
    this.rules = new AddressRules(allowedPrivateRanges);
    this.connector = guardedConnector(this.rules, lookup);
    this.userAgent = userAgent;
  }

  /** Resolves with any status. Rejects with FetchRefused, or with the reason of the signal. */
  async fetch(url: string, request: FetchRequest): Promise<Fetched> {
    const ends = this.deadline(request);
    try {
      const fetched = await this.follow(url, request, ends.signal);
      fetched.body.once('close', ends.release);
      return fetched;
    } catch (error) {
      ends.release();
      if (error instanceof MayFollowFailed) throw error.cause;
      throw refusalFor(error, ends.signal);
    }
  }

  /** Ends running requests with FetchRefused `closed`, and refuses later calls. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const controller of this.running) controller.abort(new FetchRefused('closed'));
  }

  private async follow(text: string, request: FetchRequest, ends: AbortSignal): Promise<Fetched> {
    const { maxRedirects = DEFAULT_MAX_REDIRECTS, maxBytes } = request;
    const seen = new Set<string>();
    let hop = this.firstHop(targetOf(text), request);
    for (let redirects = 0; ; redirects++) {
      ends.throwIfAborted();
      seen.add(`${hop.method} ${hop.url.href}`);
      const answer = await exchange(hop.url, hop, this.connector, ends);
      const headers = plain(answer.headers);
      const location = REDIRECTS.has(answer.statusCode) ? headers['location'] : undefined;
      if (location === undefined) {
        if (Number(headers['content-length']) > maxBytes) {
          answer.body.on('error', () => {}).destroy();
          throw new FetchRefused('too_large');
        }
        const body = fetchedBody(answer.body, headers['content-encoding'] ?? '', maxBytes, ends);
        return new Fetched(hop.url.href, answer.statusCode, headers, body);
      }
      answer.body.on('error', () => {}).destroy();
      const next = targetOf(location.replaceAll(' ', '%20'), hop.url);
      if (redirects >= maxRedirects) throw new FetchRefused('too_many_redirects');
      if (!(await isWanted(next, hop.url, request))) throw new FetchRefused('redirect_refused');
      hop = this.nextHop(hop, next, answer.statusCode);
      if (seen.has(`${hop.method} ${hop.url.href}`)) throw new FetchRefused('too_many_redirects');
    }
  }

  private firstHop(url: URL, request: FetchRequest): Hop {
    const { method = 'GET', headers = {}, body = null, timeoutMillis } = request;
    return { url, method, body, timeoutMillis, headers: { ...this.ownHeaders(request.accept), ...checkedHeaders(headers) } };
  }

  /** A POST becomes a GET, as in browsers. A body is never sent to an origin that the caller did not name. */
  private nextHop(hop: Hop, url: URL, status: number): Hop {
    const isSameOrigin = url.origin === hop.url.origin;
    const headers = isSameOrigin ? hop.headers : this.ownHeaders(hop.headers['accept']);
    const keepsMethod = status === 307 || status === 308;
    if (hop.method === 'GET' || keepsMethod) {
      if (hop.method === 'POST' && !isSameOrigin) throw new FetchRefused('redirect_refused');
      return { ...hop, url, headers };
    }
    const { 'content-type': _type, ...withoutBody } = headers;
    return { ...hop, url, headers: withoutBody, method: 'GET', body: null };
  }

  private ownHeaders(accept = '*/*'): Record<string, string> {
    return { ...checkedHeaders({ 'user-agent': this.userAgent, accept }), 'accept-encoding': 'gzip, deflate, br' };
  }

  /** A signal that is aborted by the time limit, by the caller's signal and by `close`. */
  private deadline({ timeoutMillis, signal }: FetchRequest): { readonly signal: AbortSignal; readonly release: () => void } {
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    if (signal?.aborted) stop();
    if (this.isClosed) controller.abort(new FetchRefused('closed'));
    signal?.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(() => controller.abort(new FetchRefused('timeout')), timeoutMillis);
    this.running.add(controller);
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      this.running.delete(controller);
    };
    return { signal: controller.signal, release };
  }
}

async function isWanted(target: URL, from: URL, { sameHostRedirectsOnly = false, mayFollow }: FetchRequest): Promise<boolean> {
  if (sameHostRedirectsOnly && target.hostname !== from.hostname) return false;
  try {
    return mayFollow === undefined || (await mayFollow(target));
  } catch (error) {
    throw new MayFollowFailed('mayFollow failed.', { cause: error });
  }
}

/** Without a prototype, so that no header name has another meaning. */
function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(', ') : value;
  return result;
}
