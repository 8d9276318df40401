import { type Fetched, FetchRefused, type GuardedFetch } from '@parlance/guarded-fetch';
import { Robots } from './robots.ts';
import { assertContent, failureOf, isGone, shown, SourceFailed } from './source-failed.ts';
import type { Fingerprint, SkipReason } from './source.ts';
import { Turns } from './turns.ts';

export interface WebBounds {
  /** Bytes of one page or sitemap, after decompression. */
  readonly maxBytes: number;
  /** For one page or one sitemap, from the lookup to the last byte. */
  readonly timeoutMillis: number;
  /** The longest pause between two requests to a host. If the host asks for a longer one, this pause is used. */
  readonly maxDelayMillis: number;
}

export const DEFAULT_WEB_BOUNDS: WebBounds = { maxBytes: 50 * 1024 ** 2, timeoutMillis: 60_000, maxDelayMillis: 10_000 };

export type Visit =
  | { readonly status: 'read'; readonly answer: Fetched; readonly fingerprint: Fingerprint }
  | { readonly status: 'unchanged'; readonly fingerprint: Fingerprint }
  | { readonly status: 'skipped'; readonly reason: SkipReason };

export interface VisitRequest {
  /** For a conditional request. */
  readonly since?: Fingerprint | undefined;
  readonly accept?: string;
  /** Redirects to other targets are not followed. */
  readonly isInScope?: (target: URL) => boolean;
  /** A page that was only found is skipped if it is gone, forbidden by robots.txt, or leads elsewhere. For a named page these are failures. */
  readonly isNamed: boolean;
}

/** Reads pages of any host and respects its robots.txt and pauses, one request at a time. For one run. */
export class Visits {
  private readonly robots: Robots;
  private readonly turns = new Turns();

  constructor(
    private readonly guarded: GuardedFetch,
    private readonly bounds: WebBounds,
    private readonly signal: AbortSignal,
  ) {
    this.robots = new Robots(guarded, signal);
  }

  /** Rejects with SourceFailed, or with the reason of the signal. */
  async visit(url: string, request: VisitRequest): Promise<Visit> {
    const target = new URL(url);
    const rules = await this.robots.rulesFor(target);
    if (!rules.allows(target)) return this.disallowed(url, request);
    const delay = Math.min(rules.delayMillis ?? 0, this.bounds.maxDelayMillis);
    return this.turns.take(target.host, delay, this.signal, () => this.read(url, request));
  }

  private async read(url: string, request: VisitRequest): Promise<Visit> {
    const { since, accept = '*/*', isInScope } = request;
    let refused: SkipReason | null = null;
    const mayFollow = async (hop: URL) => {
      if (isInScope?.(hop) === false) refused = 'out_of_scope';
      else if (!(await this.robots.rulesFor(hop)).allows(hop)) refused = 'robots';
      return refused === null;
    };
    const { maxBytes, timeoutMillis } = this.bounds;
    try {
      const answer = await this.guarded.fetch(url, {
        headers: conditions(since),
        accept,
        maxBytes,
        timeoutMillis,
        mayFollow,
        signal: this.signal,
      });
      return this.judge(url, answer, request);
    } catch (error) {
      if (error instanceof FetchRefused && error.code === 'redirect_refused' && refused !== null) return this.refuse(url, refused, request);
      throw failureOf(error, url);
    }
  }

  private judge(url: string, answer: Fetched, { since, isNamed }: VisitRequest): Visit {
    const { status, headers } = answer;
    const fingerprint = { etag: headers['etag'] ?? null, lastModified: headers['last-modified'] ?? null };
    if (status === 200) return { status: 'read', answer, fingerprint };
    answer.dump();
    if (status === 304 && since !== undefined) {
      return {
        status: 'unchanged',
        fingerprint: { etag: fingerprint.etag ?? since.etag, lastModified: fingerprint.lastModified ?? since.lastModified },
      };
    }
    if (isGone(status) && !isNamed) return { status: 'skipped', reason: 'gone' };
    assertContent(status, url);
    return { status: 'skipped', reason: 'gone' };
  }

  private disallowed(url: string, { isNamed }: VisitRequest): Visit {
    if (!isNamed) return { status: 'skipped', reason: 'robots' };
    const message = `The robots.txt of ${new URL(url).host} does not allow ParlanceBot to read ${shown(url)}. Ask the owner of the site, or remove the address.`;
    throw new SourceFailed('robots_disallowed', message);
  }

  private refuse(url: string, reason: SkipReason, request: VisitRequest): Visit {
    if (reason === 'robots') return this.disallowed(url, request);
    if (!request.isNamed) return { status: 'skipped', reason };
    throw new SourceFailed('redirect_refused', `${shown(url)} leads to another site. Use the address of that site instead.`);
  }
}

function conditions(since: Fingerprint | undefined): Record<string, string> {
  return {
    ...(since?.etag && { 'if-none-match': since.etag }),
    ...(since?.lastModified && { 'if-modified-since': since.lastModified }),
  };
}
