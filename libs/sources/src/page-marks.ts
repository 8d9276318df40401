import { attributesOf, MarkupScanner, type Tag } from './markup-scanner.ts';
import { pageAddress } from './page-address.ts';

/** Links that are taken from one page. */
export const MAX_LINKS = 5_000;

/** Bytes of a page that are searched for links. */
export const MAX_SEARCHED_BYTES = 5 * 1024 ** 2;

/** Collects from a page, piece by piece, what a crawl needs to know. */
export class PageMarks {
  readonly links = new Set<string>();
  canonical: string | null = null;
  isNoindex: boolean;
  isNofollow: boolean;
  /** True once the head has ended: marks of the whole page come before its end. */
  isHeadOver = false;
  private base: string;
  private searched = 0;
  private readonly scanner = new MarkupScanner({ tag: (tag) => this.tag(tag) }, 'html');

  /** `robotsHeader` is the X-Robots-Tag header, which has the same words as the mark in the page. */
  constructor(
    url: string,
    private readonly decoder: { decode(bytes: Uint8Array, options: { stream: boolean }): string },
    robotsHeader = '',
  ) {
    this.base = url;
    const words = wordsOf(robotsHeader);
    this.isNoindex = words.has('noindex') || words.has('none');
    this.isNofollow = words.has('nofollow') || words.has('none');
  }

  feed(bytes: Uint8Array): void {
    const left = MAX_SEARCHED_BYTES - this.searched;
    if (left <= 0) return;
    this.searched += bytes.length;
    this.scanner.feed(this.decoder.decode(bytes.subarray(0, left), { stream: true }));
  }

  private tag({ name, isEnd, rest }: Tag): void {
    if (name === 'body' || (name === 'head' && isEnd)) this.isHeadOver = true;
    if (isEnd) return;
    if (name === 'a' || name === 'area') this.addLink(attributesOf(rest));
    else if (name === 'link') this.addRelation(attributesOf(rest));
    else if (name === 'meta') this.addMeta(attributesOf(rest));
    else if (name === 'base') this.base = pageAddress(attributesOf(rest).get('href')?.trim() ?? '', this.base) ?? this.base;
  }

  private addLink(attributes: ReadonlyMap<string, string>): void {
    const href = attributes.get('href')?.trim();
    if (href === undefined || this.links.size >= MAX_LINKS || wordsOf(attributes.get('rel')).has('nofollow')) return;
    const address = pageAddress(href, this.base);
    if (address !== null) this.links.add(address);
  }

  private addRelation(attributes: ReadonlyMap<string, string>): void {
    if (wordsOf(attributes.get('rel')).has('canonical')) this.canonical ??= pageAddress(attributes.get('href')?.trim() ?? '', this.base);
  }

  private addMeta(attributes: ReadonlyMap<string, string>): void {
    const name = attributes.get('name')?.trim().toLowerCase();
    if (name !== 'robots' && name !== 'parlancebot') return;
    const words = wordsOf(attributes.get('content'));
    if (words.has('noindex') || words.has('none')) this.isNoindex = true;
    if (words.has('nofollow') || words.has('none')) this.isNofollow = true;
  }
}

/** A header may name the crawler before its words: `parlancebot: noindex`. Words for other crawlers stay attached to their names. */
function wordsOf(text = ''): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .replaceAll(/parlancebot\s*:/g, '')
      .split(/[\s,]+/),
  );
}
