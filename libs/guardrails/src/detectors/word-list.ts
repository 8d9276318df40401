import { isOtherLetter, isWord } from '../characters.ts';
import { type Detector, NONE, UNDECIDED, work } from '../detector.ts';

/** Characters of an entry of a word list. */
export const LONGEST_ENTRY = 200;
/** White space that may be between two words of an entry. */
const MOST_SPACES = 8;

interface Node {
  readonly next: Map<string, Node>;
  isEntry: boolean;
}

/** Entries of a list as whole words, in any case. Any white space may be between the words of an entry. */
export function wordList(entries: readonly string[]): Detector {
  const root: Node = { next: new Map(), isEntry: false };
  let reach = 0;
  for (const entry of entries) {
    const words = entry.trim().replace(/\s+/g, ' ');
    if (words !== '') add(root, words);
    reach = Math.max(reach, words.replaceAll(' ', ' '.repeat(MOST_SPACES)).length);
  }
  return {
    kind: 'words',
    reach: reach + 2,

    next(text, from) {
      let at = from;
      while (at < text.length && !(root.next.has(lowerOf(text[at]!)) && isBoundary(text, at))) at++;
      work.read += at - from + 1;
      return at;
    },

    match(text, at, isEnd) {
      let node = root;
      let found = NONE;
      let end = at;
      for (;;) {
        // Whether an entry ends here depends on the next character.
        if (end >= text.length && !isEnd) return UNDECIDED;
        if (node.isEntry && isBoundary(text, end)) found = end;
        const spaces = spacesAt(text, end);
        if (end + spaces >= text.length && spaces > 0 && spaces < MOST_SPACES && !isEnd && node.next.has(' ')) return UNDECIDED;
        const step: Node | undefined = node.next.get(spaces > 0 ? ' ' : end < text.length ? lowerOf(text[end]!) : '');
        work.read += spaces + 1;
        if (!step) return found;
        node = step;
        end += Math.max(1, spaces);
      }
    },
  };
}

function add(root: Node, words: string): void {
  let node = root;
  for (let at = 0; at < words.length; at++) {
    const character = lowerOf(words[at]!);
    const step = node.next.get(character) ?? { next: new Map(), isEntry: false };
    node.next.set(character, step);
    node = step;
  }
  node.isEntry = true;
}

/** In lower case, if that has one code unit too. */
function lowerOf(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower : character;
}

const isWhite = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0;

function spacesAt(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < MOST_SPACES && isWhite(text.charCodeAt(end))) end++;
  return end - at;
}

/** Scripts that are written without spaces have no boundaries between words. */
const isJoined = (code: number): boolean => isWord(code) && !(isOtherLetter(code) && code >= 0x2e00) && !(code >= 0x0e00 && code < 0x0f00);

/** Whether the characters on both sides belong to different words. */
const isBoundary = (text: string, at: number): boolean => !(isJoined(text.charCodeAt(at - 1)) && isJoined(text.charCodeAt(at)));
