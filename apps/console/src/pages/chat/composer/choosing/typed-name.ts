/** A name that is being typed: of a bot after an @, or of a prompt after a / at the beginning of a line. */
export interface TypedName {
  readonly kind: 'bot' | 'prompt';
  /** The position of the @ or the /. */
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

/** The most characters that are searched for. */
const MOST_CHARACTERS = 40;
const BEFORE_CURSOR = {
  bot: new RegExp(`(?:^|\\s)@([^\\s@]{0,${MOST_CHARACTERS}})$`, 'u'),
  prompt: new RegExp(`(?:^|\\n)/([^\\s/]{0,${MOST_CHARACTERS}})$`, 'u'),
};

/** The name that ends at the cursor. An @ inside a word, as in an e-mail address, begins none, and a second / makes a path. */
export function typedNameAt(text: string, cursor: number): TypedName | null {
  for (const kind of ['bot', 'prompt'] as const) {
    const query = BEFORE_CURSOR[kind].exec(text.slice(0, cursor))?.[1];
    if (query !== undefined) return { kind, start: cursor - query.length - 1, end: cursor, query };
  }
  return null;
}

/** The text without the name, and without the second of the spaces around it. */
export function withoutName(text: string, { start, end }: Pick<TypedName, 'start' | 'end'>): string {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  return before === '' || /\s$/u.test(before) ? before + after.replace(/^ /u, '') : before + after;
}

/** The text with another one in the place of the name, and the cursor after it. */
export function withInstead(text: string, { start, end }: Pick<TypedName, 'start' | 'end'>, instead: string) {
  return { text: text.slice(0, start) + instead + text.slice(end), cursor: start + instead.length };
}

/** The text with an @ at the cursor, separated from the word before it. */
export function withAt(text: string, cursor: number): { readonly text: string; readonly cursor: number } {
  const before = text.slice(0, cursor);
  const added = before === '' || /\s$/u.test(before) ? '@' : ' @';
  return { text: before + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Joins the text that follows a user to another chat with the draft of that chat. */
export const joinedDrafts = (moved: string, draft: string): string => [draft, moved].filter((text) => text.trim() !== '').join('\n\n');
