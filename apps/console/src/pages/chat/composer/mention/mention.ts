/** A bot's name that is being typed after an @. */
export interface Mention {
  /** The position of the @. */
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

/** The most characters that are searched for. */
const MOST_CHARACTERS = 40;
const BEFORE_CURSOR = new RegExp(`(?:^|\\s)@([^\\s@]{0,${MOST_CHARACTERS}})$`, 'u');

/** The mention that ends at the cursor. An @ inside a word, as in an e-mail address, begins none. */
export function mentionAt(text: string, cursor: number): Mention | null {
  const query = BEFORE_CURSOR.exec(text.slice(0, cursor))?.[1];
  return query === undefined ? null : { start: cursor - query.length - 1, end: cursor, query };
}

/** The text without the mention, and without the second of the spaces around it. */
export function withoutMention(text: string, { start, end }: Mention): string {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  return before === '' || /\s$/u.test(before) ? before + after.replace(/^ /u, '') : before + after;
}

/** The text with an @ at the cursor, separated from the word before it. */
export function withAt(text: string, cursor: number): { readonly text: string; readonly cursor: number } {
  const before = text.slice(0, cursor);
  const added = before === '' || /\s$/u.test(before) ? '@' : ' @';
  return { text: before + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Joins the text that follows a user to another chat with the draft of that chat. */
export const joinedDrafts = (moved: string, draft: string): string => [draft, moved].filter((text) => text.trim() !== '').join('\n\n');
