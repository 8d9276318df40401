export interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  /** The text between the name and `>`. */
  readonly rest: string;
}

export interface MarkupHandler {
  tag(tag: Tag): void;
  /** Text between tags. A long text arrives in pieces. */
  text?(text: string): void;
  /** `<!DOCTYPE …` and other declarations, without comments and CDATA. */
  declaration?(text: string): void;
}

/** Characters of a tag. A longer tag is skipped. */
const MAX_TAG = 16 * 1024;

/** HTML elements whose content is not markup. */
const RAW: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'noembed', 'noframes', 'xmp', 'iframe']);

/**
 * Finds the tags of HTML or XML in one pass, without building a tree. Time is proportional to the text, and memory is bounded by the longest tag.
 * A tree of 1 MB of HTML would block the event loop for a second.
 */
export class MarkupScanner {
  private buffer = '';
  /** The text that ends the current comment, CDATA section or raw text. */
  private until: string | null = null;
  private isCdata = false;

  constructor(
    private readonly handler: MarkupHandler,
    private readonly kind: 'html' | 'xml',
  ) {}

  feed(text: string): void {
    this.buffer += text;
    let at = 0;
    for (let next = this.step(at); next !== -1; next = this.step(at)) at = next;
    this.buffer = this.buffer.slice(at);
  }

  /** The position after the next piece of markup, or -1 if the rest of it has not arrived yet. */
  private step(at: number): number {
    if (at >= this.buffer.length) return -1;
    if (this.until !== null) return this.leave(at, this.until);
    const open = this.buffer.indexOf('<', at);
    if (open !== at) return this.passText(at, open === -1 ? this.buffer.length : open);
    if (this.buffer.startsWith('<!--', at)) return this.enter(at + 4, '-->');
    if (this.kind === 'xml' && this.buffer.startsWith('<![CDATA[', at)) {
      this.isCdata = true;
      return this.enter(at + 9, ']]>');
    }
    // `<![CDATA[` or `<!--` may be cut at the end of the text so far.
    if (this.buffer.length - at < 9 && '<![CDATA['.startsWith(this.buffer.slice(at)) && this.buffer.length - at > 1) return -1;
    if (this.buffer.length - at < 4 && '<!--'.startsWith(this.buffer.slice(at))) return -1;
    if (this.buffer.length === at + 1) return -1;
    // A `<` before anything else is text.
    return /[A-Za-z_/!?]/.test(this.buffer[at + 1] ?? '') ? this.passTag(at) : at + 1;
  }

  private passText(at: number, end: number): number {
    this.handler.text?.(this.buffer.slice(at, end));
    return end;
  }

  private enter(at: number, until: string): number {
    this.until = until;
    return at;
  }

  private leave(at: number, until: string): number {
    const end = this.find(until, at);
    if (end === -1) {
      // The end marker itself may be cut, so its possible beginning is kept.
      const passed = this.buffer.length - until.length + 1;
      if (passed <= at) return -1;
      if (this.isCdata) this.handler.text?.(this.buffer.slice(at, passed));
      return passed;
    }
    if (this.isCdata) this.handler.text?.(this.buffer.slice(at, end));
    this.isCdata = false;
    this.until = null;
    // The end tag of raw text is handled like any other tag.
    return until.startsWith('</') ? end : end + until.length;
  }

  private find(until: string, at: number): number {
    if (!until.startsWith('</')) return this.buffer.indexOf(until, at);
    for (let open = this.buffer.indexOf('</', at); open !== -1; open = this.buffer.indexOf('</', open + 2)) {
      if (this.buffer.slice(open, open + until.length).toLowerCase() === until) return open;
    }
    return -1;
  }

  private passTag(at: number): number {
    const end = this.endOfTag(at);
    // The whole tag is skipped. Searching it again from each `<` in it would take quadratic time.
    if (end === -1) return this.buffer.length - at > MAX_TAG ? at + MAX_TAG : -1;
    const inner = this.buffer.slice(at + 1, end);
    if (inner.startsWith('!')) this.handler.declaration?.(inner);
    const [, slash, name] = /^(\/?)([A-Za-z_][^\s/>]{0,99})/.exec(inner) ?? [];
    if (name === undefined) return end + 1;
    const isEnd = slash === '/';
    const known = this.kind === 'html' ? name.toLowerCase() : name;
    this.handler.tag({ name: known, isEnd, rest: inner.slice(name.length + Number(isEnd)) });
    if (this.kind === 'html' && !isEnd && RAW.has(known)) this.until = `</${known}`;
    return end + 1;
  }

  /** The index of the `>` outside quotes, or -1. */
  private endOfTag(at: number): number {
    const limit = Math.min(this.buffer.length, at + MAX_TAG);
    let quote = 0;
    for (let index = at + 1; index < limit; index++) {
      const code = this.buffer.charCodeAt(index);
      if (quote !== 0) {
        if (code === quote) quote = 0;
      } else if (code === 34 || code === 39) quote = code;
      else if (code === 62) return index;
    }
    return -1;
  }
}

/** Attributes by their names in lower case. The first of repeated attributes counts. */
export function attributesOf(rest: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of rest.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, unescaped(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five entities of XML and numeric ones. Others stay as they are. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
