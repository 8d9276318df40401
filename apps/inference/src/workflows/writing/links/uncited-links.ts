import { type CitedUrls, LONGEST_URL } from './cited-urls.ts';
import {
  AUTOLINK,
  BEGUN_ELEMENT,
  BEGUN_NAME,
  HARMLESS_END_TAG,
  LINKING_ATTRIBUTE,
  LINKING_TAG,
  OPEN_VALUE,
  SIMPLE_TAG,
} from './html-tags.ts';
import { closingOf, LONGEST_HELD } from './markdown-targets.ts';

/** Replaces a removed address in the answer. */
export const REMOVED = '(link removed)';

/** Code units of the earlier text that may contain the beginning of a link. */
const LOOKED_BACK = LONGEST_URL + 8;

/** Character sequences with which a link can begin. */
const BEGIN = /(?:https?|ftp):\/\/|\/\/|www\.|<|\]\(|\]:/gi;
/** The end of a text that may be the first part of such a sequence. */
const BEGUN = /(?:h|ht|htt|https?:?\/?|f|ft|ftp:?\/?|w|ww|www|[:/\]])$/i;
const END_OF_URL = /[\s<>\]]/;
/** Markdown renderers include a `>` and non-ASCII spaces in a link. */
const READ_AS_LINK = /^(?:>|[^\S \t\n\v\f\r])/;
/** What may follow a link that ends at a bracket, so that no renderer includes more in the link. */
const AFTER_BRACKET = /^\](?:\(<?(?:https?:|www\.)|[.,;!?)]*(?:\s|$))/i;
const BRACKET_UNDECIDED = /^\](?:[.,;!?)]{0,6}|\(<?[a-z:]{0,6})$/i;
/** Matches text that, after a removal, could form a link with the text before it. */
const JOINS_TAG = /^\S/;
const JOINS_BRACKET = /^[^\s\]).,;!?*_]/;
/** A target without any of these is a word, as in `items[0](next)`. */
const TARGET_CHARACTERS = /[:/\\&<#?%=.]/;
const TITLE = /^[ \t\n]+(?:"[^"<>:/&\\]*"|'[^'<>:/&\\]*')[ \t\n]*$/;

/** The decision about the beginning of the held-back text. */
interface Decision {
  readonly shown: string;
  readonly length: number;
  /** Following text that would join with the text before it. A space is inserted in between. */
  readonly joins?: RegExp;
}

/**
 * Removes images and links from a text that arrives in parts, unless they are in a source: targets of Markdown links and images, addresses in
 * angle brackets or alone, definitions of references, and HTML that loads or links. The text of links stays. A possible part of a link is held
 * back until the next part, so readers never see a link that is later removed. Each part costs time in proportion to its length and
 * `LONGEST_HELD`.
 */
export class UncitedLinks {
  private held = '';
  /** The last character about which was decided. */
  private before = '';
  /** Whether the rest of an address that is too long to be cited is being skipped. */
  private isSkipping = false;
  private isFirst = true;
  /** The last character that was shown. */
  private last = '';
  private joins: RegExp | null = null;
  /** Whether an unfinished tag was shown. */
  private isInTag = false;

  /** `earlier`: the end of the text before the first part. */
  constructor(
    private readonly cited: CitedUrls,
    private readonly earlier = '',
  ) {
    this.last = earlier.slice(-1);
  }

  /** Returns the text that can be shown after this part. */
  add(part: string): string {
    if (part === '') return '';
    // A link must not be assembled from the text that was already shown and this part.
    const gap = this.isFirst && isOpen(this.earlier) ? ' ' : '';
    this.isFirst = false;
    this.held += gap + part;
    return this.take(false);
  }

  /** Returns the text that was held back. Call it after the last part. */
  end(): string {
    return this.take(true);
  }

  private take(isEnd: boolean): string {
    const text = this.held;
    let shown = '';
    let at = 0;
    while (at < text.length) {
      if (this.isSkipping) {
        const end = text.slice(at).search(END_OF_URL);
        if (end < 0) {
          at = text.length;
          break;
        }
        at += end;
        this.isSkipping = false;
      }
      BEGIN.lastIndex = at;
      const found = BEGIN.exec(text);
      const next = found?.index ?? (isEnd ? text.length : at + undecidedFrom(text.slice(at)));
      shown += this.separated(text.slice(at, next));
      if (next > at) this.before = text[next - 1]!;
      at = next;
      if (!found) break;
      const decision = this.decide(found[0].toLowerCase(), text.slice(at, at + LONGEST_HELD + 1), isEnd);
      if (!decision) break;
      shown += this.separated(decision.shown);
      if (decision.joins && (decision.shown !== '' || /\S/.test(this.last))) this.joins = decision.joins;
      at += decision.length;
      if (decision.length > 0) this.before = text[at - 1]!;
    }
    this.held = text.slice(at);
    return shown;
  }

  private separated(text: string): string {
    if (text === '') return '';
    const isJoined = this.joins?.test(text) === true || (text.startsWith('&lt;') && /\S/.test(this.last));
    this.joins = null;
    this.last = text.at(-1)!;
    return isJoined ? ` ${text}` : text;
  }

  private decide(begin: string, text: string, isEnd: boolean): Decision | null {
    const isAll = isEnd && text.length <= LONGEST_HELD;
    if (begin === '<') return this.tag(text, isAll);
    if (begin === '](') return this.target(text, isAll);
    if (begin === ']:') return this.definition(text, isAll);
    return this.url(begin, text, isAll);
  }

  private url(begin: string, text: string, isAll: boolean): Decision | null {
    // After a letter, `www.` is part of a word.
    if (begin === 'www.' && /[a-z0-9]/i.test(this.before)) return kept(begin);
    const isAfterScheme = this.before === ':';
    if (begin === '//' && !isAfterScheme && text[2] === '/') return kept('/');
    if (begin === '//' && !isAfterScheme && /^\/\/(?:\s|[^\s/.]+[\s/])/.test(text)) return kept(begin);
    const end = text.slice(begin.length).search(END_OF_URL);
    if (end < 0 && !isAll) {
      if (text.length <= LONGEST_URL) return null;
      this.isSkipping = true;
      return { shown: REMOVED, length: text.length };
    }
    const link = end < 0 ? text : text.slice(0, begin.length + end);
    const following = text.slice(link.length);
    if (begin === '//' && (link === '//' || (!isAfterScheme && !/^\/\/[^\s/]+\.\S/.test(link)))) return kept(begin);
    const found = begin === '//' ? null : this.cited.find(link);
    if (found && READ_AS_LINK.test(following)) return { shown: REMOVED, length: link.length };
    if (found && following.startsWith(']')) {
      if (!isAll && BRACKET_UNDECIDED.test(following) && text.length <= LONGEST_HELD) return null;
      if (!AFTER_BRACKET.test(following)) return { shown: REMOVED, length: link.length };
    }
    return { shown: found ? link : `${REMOVED}${/[.,;:!?*_)`"']{0,8}$/.exec(link)![0]}`, length: link.length };
  }

  private tag(text: string, isAll: boolean): Decision | null {
    if (text.length < 2 && !isAll) return null;
    if (!this.isInTag && /^<[\s\d=]/.test(text)) return kept('<');
    const end = text.slice(1).search(/[<>]/);
    if (end < 0 && !isAll && text.length <= LONGEST_HELD) return null;
    const whole = end < 0 ? text : text.slice(0, end + 2);
    const isLinking = LINKING_TAG.test(whole) || LINKING_ATTRIBUTE.test(whole);
    const close = this.isInTag ? ' >' : '';
    const hasOpenValue = OPEN_VALUE.test(end < 0 ? whole : whole.slice(0, -1));
    // HTML parsers would read the following text as part of the tag.
    if (hasOpenValue || !whole.endsWith('>')) {
      const isEscaped =
        hasOpenValue ||
        isLinking ||
        /^<[\s\d=]/.test(whole) ||
        BEGUN_ELEMENT.test(whole) ||
        (end < 0 && (!isAll || BEGUN_NAME.test(whole)));
      const shown = isEscaped ? `${close}&lt;` : '<';
      this.isInTag = !isEscaped;
      return { shown, length: 1 };
    }
    this.isInTag = false;
    const [, autolink] = AUTOLINK.exec(whole) ?? [];
    if (autolink !== undefined) return { shown: close + (this.isCited(autolink) ? whole : REMOVED), length: whole.length };
    if (!isLinking) return { shown: /^<[\s\d=]/.test(whole) ? `${close}&lt;` : '<', length: 1 };
    if (HARMLESS_END_TAG.test(whole)) return { shown: whole, length: whole.length };
    const [, double, single] = SIMPLE_TAG.exec(whole) ?? [];
    return this.isCited(double ?? single ?? '') ? kept(whole) : { shown: close, length: whole.length, joins: JOINS_TAG };
  }

  private target(text: string, isAll: boolean): Decision | null {
    const end = closingOf(text);
    if (end < 0) {
      if (!isAll && text.length <= LONGEST_HELD) return null;
      // The space makes it no longer a link.
      return { shown: '] (', length: 2 };
    }
    const inside = text.slice(2, end).trimStart();
    const [target = ''] = /^(?:<[^<>\n]*>|\S*)/.exec(inside) ?? [];
    const length = end + 1;
    if (!TARGET_CHARACTERS.test(target)) return TARGET_CHARACTERS.test(inside) ? { shown: '] (', length: 2 } : kept('](');
    const link = target.replace(/^<(.*)>$/, '$1');
    if (!this.isCited(link)) return { shown: ']', length, joins: JOINS_BRACKET };
    const title = inside.slice(target.length);
    return { shown: TITLE.test(title) ? `](${link}${title})` : `](${link})`, length };
  }

  /** The definition of a reference, as in `[1]: https://…`. The address may be on the next line of a quotation. */
  private definition(text: string, isAll: boolean): Decision | null {
    const [space] = /^\]:[\s>]*/.exec(text)!;
    const target = text.slice(space.length);
    const end = target.search(/[ \t\n\v\f\r]|\]:/);
    if (end < 0 && !isAll) {
      if (text.length <= LONGEST_HELD) return null;
      return { shown: '] :', length: 2 };
    }
    const word = end < 0 ? target : target.slice(0, end);
    if (target[end] !== ']' && this.isCited(word.replace(/^<(.*)>$/, '$1'))) return kept(space + word);
    const isTarget = word === '' || target[end] === ']' || /[\\&]|^[</.#?]|^www\.|^[a-z][a-z0-9+.-]*:/i.test(word);
    return { shown: isTarget ? '] :' : ']:', length: 2 };
  }

  private isCited(link: string): boolean {
    return this.cited.find(link)?.rest === '';
  }
}

const kept = (shown: string): Decision => ({ shown, length: shown.length });

/** The length of a text before a possible beginning of a link at its end. */
function undecidedFrom(text: string): number {
  const tail = Math.max(0, text.length - 8);
  const begun = BEGUN.exec(text.slice(tail));
  return begun ? tail + begun.index : text.length;
}

/** Whether a text ends within a link, or within a possible beginning of one. */
function isOpen(text: string): boolean {
  const word = text.slice(-LOOKED_BACK).split(/\s/).at(-1)!;
  return word.includes('//') || /www\./i.test(word) || BEGUN.test(word.slice(-8)) || word.endsWith('<');
}
