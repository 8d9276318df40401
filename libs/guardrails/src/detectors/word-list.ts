import { isOtherLetter, isWord } from '../characters.ts';
import { type Detector, NONE, UNDECIDED, work } from '../detector.ts';
import { baseOf, folded, letterEnd } from './letters.ts';

/** Characters of an entry of a word list. */
export const LONGEST_ENTRY = 200;
/** White space that may be between two words of an entry. */
const MOST_SPACES = 8;

interface Node {
  readonly next: Map<string, Node>;
  /** `baseOf` the characters in `next`. */
  readonly bases: Set<number>;
  isEntry: boolean;
}

const node = (): Node => ({ next: new Map(), bases: new Set(), isEntry: false });

/**
 * Entries of a list as whole words, in any case, whether letters with accents are one character or several. Any white space may be between the
 * words of an entry.
 */
export function wordList(entries: readonly string[]): Detector {
  const root = node();
  let reach = 0;
  for (const entry of entries) {
    const words = entry.trim().replace(/\s+/g, ' ');
    if (words !== '') add(root, words);
    reach = Math.max(reach, words.replaceAll(' ', ' '.repeat(MOST_SPACES)).normalize('NFD').length);
  }
  return {
    kind: 'words',
    reach: reach + 2,

    next(text, from) {
      let at = from;
      while (at < text.length && !(mayBegin(root, text, at) && isBoundary(text, at))) at++;
      work.read += at - from + 1;
      return at;
    },

    match(text, at, isEnd) {
      let reached = root;
      let found = NONE;
      let end = at;
      for (;;) {
        // Whether an entry ends here depends on the next character.
        if (end >= text.length && !isEnd) return UNDECIDED;
        if (reached.isEntry && isBoundary(text, end)) found = end;
        const spaces = spacesAt(text, end);
        if (end + spaces >= text.length && spaces > 0 && spaces < MOST_SPACES && !isEnd && reached.next.has(' ')) return UNDECIDED;
        work.read += spaces + 1;
        if (spaces === 0 && (end >= text.length || !mayBegin(reached, text, end))) return found;
        const endOfLetter = spaces > 0 ? end + spaces : letterEnd(text, end);
        // Combining characters may follow.
        if (spaces === 0 && endOfLetter >= text.length && !isEnd) return UNDECIDED;
        const step = stepsFrom(reached, spaces > 0 ? ' ' : folded(text.slice(end, endOfLetter)));
        if (!step) return found;
        reached = step;
        end = endOfLetter;
      }
    },
  };
}

function add(root: Node, words: string): void {
  let last = root;
  for (let at = 0, end = 0; at < words.length; at = end) {
    end = letterEnd(words, at);
    for (const character of folded(words.slice(at, end)).split('')) {
      last.bases.add(baseOf(character.charCodeAt(0)));
      const step: Node = last.next.get(character) ?? node();
      last.next.set(character, step);
      last = step;
    }
  }
  last.isEntry = true;
}

function stepsFrom(from: Node, characters: string): Node | undefined {
  let reached: Node | undefined = from;
  for (let at = 0; reached && at < characters.length; at++) reached = reached.next.get(characters[at]!);
  return reached;
}

/** Whether the letter at a position may continue an entry. Some letters that are two code units are composed into one. */
function mayBegin({ bases }: Node, text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return bases.has(baseOf(code)) || (code >= 0xd800 && code < 0xdc00 && bases.size > 0);
}

const isWhite = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0;

function spacesAt(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < MOST_SPACES && isWhite(text.charCodeAt(end))) end++;
  return end - at;
}

/** Scripts that are written without spaces, or with endings of words, have no boundaries between words. */
const isJoined = (code: number): boolean =>
  isWord(code) && !(isOtherLetter(code) && code >= 0x2e00) && !(code >= 0x0e00 && code < 0x0f00) && !(code >= 0x1100 && code < 0x1200);

/** Whether the characters on both sides belong to different words. */
const isBoundary = (text: string, at: number): boolean => !(isJoined(text.charCodeAt(at - 1)) && isJoined(text.charCodeAt(at)));
