import type { Prompt } from '@parlance/chat-models';

/** Code units of a link that may stay. Longer ones are uncited. */
export const LONGEST_URL = 2_048;
/** In sources, a quotation mark or a bracket ends a link. */
const URL_IN_SOURCE = /(?:(?:https?|ftp):\/\/|www\.)[^\s<>"`\]]+/gi;
/** Readers of Markdown do not count these to a link if they are at its end. */
const PUNCTUATION = /[.,;:!?*_~'"`)}|\\]{1,64}$/;
const PUNCTUATION_BUT_PARENTHESES = /[.,;:!?*_~'"`}|\\]{1,64}$/;

/** The beginning of a text that is a cited link, and the punctuation behind it. */
export interface FoundUrl {
  readonly url: string;
  readonly rest: string;
}

/** Code units of the user's own messages that are read for links, from the newest. */
const MOST_OF_USER = 256 * 1024;

/**
 * The links in the texts that an answer is based on: the chunks of the knowledge that the model was given, the instruction, and what the user has
 * written. Results of tools and texts of files are written by others.
 */
export class CitedUrls {
  private known: Set<string> | null = null;

  constructor(private readonly given: Pick<Prompt, 'instruction' | 'knowledge' | 'turns'>) {}

  /** Null for a link that is in none of the texts. A link with another query or path is another link. */
  find(link: string): FoundUrl | null {
    if (link.length > LONGEST_URL) return null;
    const url = formsOf(link).find((form) => this.urls.has(canonical(form)));
    return url === undefined ? null : { url, rest: link.slice(url.length) };
  }

  /** Read with the first link, because most answers have none. */
  private get urls(): Set<string> {
    return (this.known ??= new Set(this.texts().flatMap((text) => linksIn(text))));
  }

  private texts(): string[] {
    const { instruction, knowledge } = this.given;
    return [instruction, ...this.ownTexts(), ...(knowledge?.chunks ?? []).flatMap(({ content, source }) => [content, source])];
  }

  private ownTexts(): string[] {
    const texts: string[] = [];
    let left = MOST_OF_USER;
    for (const { role, text } of this.given.turns.toReversed()) {
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

/** With and without the punctuation at its end. */
const formsOf = (link: string): readonly string[] => [
  ...new Set([link, link.replace(PUNCTUATION_BUT_PARENTHESES, ''), link.replace(PUNCTUATION, '')]),
];

function canonical(link: string): string {
  const absolute = /^www\./i.test(link) ? `http://${link}` : link;
  return URL.canParse(absolute) ? new URL(absolute).href : absolute;
}
