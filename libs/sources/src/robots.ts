import { FetchRefused, type GuardedFetch } from '@parlance/guarded-fetch';
import { MAX_ROBOTS_BYTES, RobotsRules } from './robots-rules.ts';
import { failureOf, shown, SourceFailed } from './source-failed.ts';

/** Hosts whose rules are cached. The oldest is dropped first. */
const MAX_HOSTS = 50;
const TIMEOUT_MILLIS = 15_000;

/** The robots.txt of each host, read once per run. */
export class Robots {
  private readonly known = new Map<string, Promise<RobotsRules>>();

  constructor(
    private readonly guarded: GuardedFetch,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Rejects with SourceFailed `robots_unreachable` if the file may exist but cannot be read: RFC 9309 then forbids the whole host. Without a
   * file, everything is allowed.
   */
  rulesFor(url: URL): Promise<RobotsRules> {
    const known = this.known.get(url.origin);
    if (known) return known;
    const [oldest] = this.known.keys();
    if (this.known.size >= MAX_HOSTS && oldest !== undefined) this.known.delete(oldest);
    const reading = this.read(url.origin);
    // The caller handles the error; a later caller gets the same one.
    reading.catch(() => {});
    this.known.set(url.origin, reading);
    return reading;
  }

  private async read(origin: string): Promise<RobotsRules> {
    const url = `${origin}/robots.txt`;
    try {
      const answer = await this.guarded.fetch(url, {
        accept: 'text/plain',
        // Text past the limit is not read, and is not an error.
        maxBytes: 4 * MAX_ROBOTS_BYTES,
        timeoutMillis: TIMEOUT_MILLIS,
        signal: this.signal,
      });
      if (answer.status === 200) return RobotsRules.parse(await beginning(answer.body));
      answer.dump();
      // 429 is a temporary refusal, so the rules are unknown.
      const isAbsent = answer.status < 500 && answer.status !== 429;
      if (isAbsent) return RobotsRules.ALLOW_ALL;
      throw this.unreachable(url, `status ${answer.status}`);
    } catch (error) {
      // Let the fetch of the page itself report this refusal, because its message is more precise.
      const isPlain =
        error instanceof FetchRefused && !['address_forbidden', 'host_unknown', 'port_forbidden', 'closed'].includes(error.code);
      throw isPlain ? this.unreachable(url, error.message, error) : failureOf(error, origin);
    }
  }

  private unreachable(url: string, why: string, cause?: unknown): SourceFailed {
    const message = `${shown(url)} could not be read (${why.replace(/\.$/, '')}), so the rules of the site are unknown. Sync again later.`;
    return new SourceFailed('robots_unreachable', message, { cause });
  }
}

async function beginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    total += chunk.length;
    if (total >= MAX_ROBOTS_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ROBOTS_BYTES).toString('utf8');
}
