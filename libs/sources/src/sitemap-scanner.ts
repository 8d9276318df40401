import { MarkupScanner, type Tag, unescaped } from './markup-scanner.ts';
import { SourceFailed } from './source-failed.ts';

export interface SitemapEntry {
  /** As written in the sitemap. */
  readonly location: string;
  readonly lastModified: string | null;
  /** True for an entry of an index, which points to another sitemap. */
  readonly isSitemap: boolean;
}

/** Characters of one value. The rest is dropped. */
const MAX_VALUE = 4_096;

/** Reads a sitemap piece by piece: XML of either kind, or a text with an address on each line. Entries are returned in order. */
export class SitemapScanner {
  private entries: SitemapEntry[] = [];
  private kind: 'unknown' | 'xml' | 'text' = 'unknown';
  private root: 'urlset' | 'sitemapindex' | null = null;
  private prefix = '';
  private value: string | null = null;
  private location = '';
  private lastModified = '';
  private line = '';
  private readonly scanner = new MarkupScanner(
    {
      tag: (tag) => this.tag(tag),
      text: (text) => this.text(text),
      declaration: () => {
        throw this.invalid('contains a document type, which sitemaps do not have');
      },
    },
    'xml',
  );

  constructor(private readonly url: string) {}

  /** The entries that this text completes. Throws SourceFailed `sitemap_invalid`. */
  feed(text: string): readonly SitemapEntry[] {
    if (this.kind === 'unknown') {
      const start = text.trimStart();
      if (start === '') return [];
      this.kind = start.startsWith('<') ? 'xml' : 'text';
    }
    if (this.kind === 'xml') this.scanner.feed(text);
    else this.lines(text);
    return this.taken();
  }

  /** The last entries. Throws SourceFailed `sitemap_invalid` if it was not a sitemap. */
  end(): readonly SitemapEntry[] {
    if (this.kind === 'text') this.lines('\n');
    else if (this.root === null) throw this.invalid('is empty, or is not a sitemap');
    return this.taken();
  }

  private taken(): readonly SitemapEntry[] {
    const { entries } = this;
    this.entries = [];
    return entries;
  }

  private tag({ name, isEnd, rest }: Tag): void {
    if (this.root === null) {
      this.begin(name);
      return;
    }
    // Extensions for images and news have their own prefixes, and may contain the same names.
    if (!name.startsWith(this.prefix)) return;
    const local = name.slice(this.prefix.length);
    if (local === 'loc' || local === 'lastmod') this.takeValue(local, isEnd || rest.endsWith('/'));
    else if (local === 'url' || local === 'sitemap') this.takeEntry(isEnd);
  }

  private begin(name: string): void {
    const [, prefix = '', local] = /^([^:]+:)?(.*)$/.exec(name) ?? [];
    if (local !== 'urlset' && local !== 'sitemapindex') throw this.invalid('is not a sitemap');
    this.prefix = prefix;
    this.root = local;
  }

  private takeValue(name: 'loc' | 'lastmod', isEnd: boolean): void {
    if (isEnd && this.value !== null) {
      const value = unescaped(this.value.trim());
      if (name === 'loc') this.location = value;
      else this.lastModified = value;
    }
    this.value = isEnd ? null : '';
  }

  private takeEntry(isEnd: boolean): void {
    if (isEnd && this.location !== '') {
      this.entries.push({ location: this.location, lastModified: this.lastModified || null, isSitemap: this.root === 'sitemapindex' });
    }
    this.location = '';
    this.lastModified = '';
  }

  private text(text: string): void {
    if (this.value !== null && this.value.length < MAX_VALUE) this.value += text.slice(0, MAX_VALUE - this.value.length);
  }

  private lines(text: string): void {
    const lines = text.split(/\r\n|\r|\n/);
    for (const [index, piece] of lines.entries()) {
      if (this.line.length < MAX_VALUE) this.line += piece.slice(0, MAX_VALUE - this.line.length);
      if (index === lines.length - 1) break;
      const location = this.line.trim().replace(/^\uFEFF/, '');
      this.line = '';
      if (location === '') continue;
      if (!/^https?:/i.test(location)) throw this.invalid('is not a sitemap');
      this.entries.push({ location, lastModified: null, isSitemap: false });
    }
  }

  private invalid(what: string): SourceFailed {
    return new SourceFailed(
      'sitemap_invalid',
      `${this.url} ${what}. Use the address of an XML sitemap, a sitemap index or a text with one address in each line.`,
    );
  }
}
