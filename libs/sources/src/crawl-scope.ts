import { Glob } from './glob.ts';
import { SourceFailed } from './source-failed.ts';

export type CrawlScope = 'single_page' | 'host' | 'subdomains';

export const MAX_PATTERNS = 50;
export const MAX_PATTERN_LENGTH = 500;

/**
 * Patterns of page addresses. `*` matches any characters, and everything else is literal. A pattern that starts with `/` or `*` is compared with
 * path and query, other patterns with the whole address.
 */
export class AddressPatterns {
  private readonly patterns: readonly { readonly glob: Glob; readonly isWhole: boolean }[];

  /** Throws SourceFailed `pattern_invalid` if there are too many patterns, or one is empty or too long. */
  constructor(patterns: readonly string[]) {
    const isInvalid = (pattern: string) => pattern === '' || pattern.length > MAX_PATTERN_LENGTH;
    if (patterns.length > MAX_PATTERNS || patterns.some(isInvalid)) {
      const message = `A crawl takes at most ${MAX_PATTERNS} patterns of 1 to ${MAX_PATTERN_LENGTH} characters. Shorten the list of patterns.`;
      throw new SourceFailed('pattern_invalid', message);
    }
    this.patterns = patterns.map((pattern) => ({ glob: new Glob(pattern, true), isWhole: !/^[/*]/.test(pattern) }));
  }

  get isEmpty(): boolean {
    return this.patterns.length === 0;
  }

  match(url: URL): boolean {
    return this.patterns.some(({ glob, isWhole }) => glob.matches(isWhole ? url.href : `${url.pathname}${url.search}`));
  }
}

/** Decides which addresses belong to a crawl. */
export class Scope {
  private host: URL;

  constructor(
    start: string,
    private readonly scope: CrawlScope,
  ) {
    this.host = new URL(start);
  }

  contains(url: URL): boolean {
    if (this.scope === 'single_page' || url.port !== this.host.port) return false;
    if (url.hostname === this.host.hostname) return true;
    const domain = this.host.hostname.replace(/^www\./, '');
    return this.scope === 'subdomains' && (url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  }

  /** Allows redirects between `example.com` and `www.example.com`. A single page may redirect anywhere. */
  allowsAsStart(url: URL): boolean {
    const plain = ({ hostname }: URL) => hostname.replace(/^www\./, '');
    return this.scope === 'single_page' || this.contains(url) || (url.port === this.host.port && plain(url) === plain(this.host));
  }

  /** Called with the address that the start redirects to. */
  moveTo(url: string): void {
    this.host = new URL(url);
  }
}
