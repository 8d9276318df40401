import type { Prompt } from '@parlance/chat-models';

/** Code units of a link that may stay. Longer links count as uncited. */
export const LONGEST_URL = 2_048;
/** In sources, a quotation mark or a bracket ends a link. */
const URL_IN_SOURCE = /(?:(?:https?|ftp):\/\/|www\.)[^\s<>"`\]]+/gi;
/** Characters that Markdown renderers do not include in a link if they are at its end. */
const PUNCTUATION = /[.,;:!?*_~'"`)}|\\]{1,64}$/;
const PUNCTUATION_BUT_PARENTHESES = /[.,;:!?*_~'"`}|\\]{1,64}$/;

/** A cited link, and the punctuation after it. */
export interface FoundUrl {
  readonly url: string;
  readonly rest: string;
}

/** Code units of the user's own messages that are searched for links, newest first. */
const MOST_OF_USER = 256 * 1024;

/**
 * The links in the texts on which an answer is based: the chunks in the prompt, the instruction, and the user's own messages. Tool results and
 * texts of files are written by others, so their links do not count.
 */
export class CitedUrls {
  private known: Set<string> | null = null;

  constructor(private readonly prompt: Pick<Prompt, 'instruction' | 'knowledge' | 'turns'>) {}

  /** Null if the link is in none of the texts. A link with another query or path is another link. */
  find(link: string): FoundUrl | null {
    if (link.length > LONGEST_URL) return null;
    const url = formsOf(link).find((form) => this.urls.has(canonical(form)));
    return url === undefined ? null : { url, rest: link.slice(url.length) };
  }

  /** Extracted when the first link is looked up, because most answers have none. */
  private get urls(): Set<string> {
    return (this.known ??= new Set(this.texts().flatMap((text) => linksIn(text))));
  }

  private texts(): string[] {
    const { instruction, knowledge } = this.prompt;
    return [instruction, ...this.ownTexts(), ...(knowledge?.chunks ?? []).flatMap(({ content, source }) => [content, source])];
  }

  private ownTexts(): string[] {
    const texts: string[] = [];
    let left = MOST_OF_USER;
    for (const { role, text } of this.prompt.turns.toReversed()) {
      if (role !== 'user' || left <= 0) continue;
      texts.push(text.slice(0, left));
      left -= text.length;
    }
    return texts;
  }
}

const linksIn = (text: string): string[] =>
  Array.from(text.matchAll(URL_IN_SOURCE), ([link]) => link)
    .filter((link) => link.length <= LONGEST_URL)
    .flatMap((link) => formsOf(link).map(canonical));

/** The link with and without the punctuation at its end. */
const formsOf = (link: string): readonly string[] => [
  ...new Set([link, link.replace(PUNCTUATION_BUT_PARENTHESES, ''), link.replace(PUNCTUATION, '')]),
];

function canonical(link: string): string {
  const absolute = /^www\./i.test(link) ? `http://${link}` : link;
  return URL.canParse(absolute) ? new URL(absolute).href : absolute;
}
