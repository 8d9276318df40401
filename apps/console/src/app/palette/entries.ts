import type { MarkedBot } from '../../pages/bots/icon/appearance.ts';

export interface Entry {
  /** Unique among all entries. */
  readonly id: string;
  readonly name: string;
  /** A second line, such as where a chat contains the words. */
  readonly detail?: string;
  /** Shows the icon of a bot. */
  readonly bot?: MarkedBot;
  readonly run: () => void;
}

export interface EntrySection {
  readonly id: 'pages' | 'actions' | 'chats' | 'bots' | 'people';
  readonly entries: readonly Entry[];
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLocaleLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');

/** The entries whose names contain all words. Names that begin with the first word come first. */
export function named(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = wordsOf(text);
  const [first] = words;
  if (first === undefined) return entries;
  const begins = ({ name }: Entry) => Number(name.toLocaleLowerCase().startsWith(first));
  return entries
    .filter(({ name }) => words.every((word) => name.toLocaleLowerCase().includes(word)))
    .toSorted((one, other) => begins(other) - begins(one));
}

export const withEntries = (sections: readonly EntrySection[]): readonly EntrySection[] =>
  sections.filter(({ entries }) => entries.length > 0);

/** The characters of a found text that are shown before its match. */
const BEFORE = 20;

interface Highlighted {
  readonly text: string;
  readonly matches: readonly { readonly start: number }[];
}

/** The part of a found text that begins shortly before its first match. */
export function excerpt(highlight: Highlighted | undefined): string | undefined {
  const match = highlight?.matches[0];
  if (!highlight || !match) return undefined;
  const from = Math.max(0, match.start - BEFORE);
  return (from > 0 ? '…' : '') + highlight.text.slice(from);
}
