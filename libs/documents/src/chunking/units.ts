import { MAX_CHUNK_TEXT } from '../limits.ts';
import type { Segment } from '../segment.ts';
import { tokensOf } from './tokens.ts';

/** The smallest part that a chunk includes or leaves out: a sentence, a heading, a row, or a piece of one that is too long. */
export interface Unit {
  readonly text: string;
  /** The white space before it, unless it is the first unit of a chunk. */
  readonly gap: string;
  readonly tokens: number;
  readonly isHeading: boolean;
  readonly page: number | null;
  readonly heading: string | null;
}

// A sentence ends after its mark and closing quotes, before white space (in Chinese and Japanese also without white space), or at the end of
// a line. A mark before a small letter does not end a sentence, because it belongs to an abbreviation.
const BORDER = /[.!?…]["'”’»)\]]*(?=\s+[^\s\p{Ll}])|[。！？]["'”’」』）]*|\n+/gu;
const LONGEST_WORD = 256;
const LONGEST_SENTENCE = 4_000;
const LONGEST_PIECE_TOKENS = 32;
const WIDE_SPACE = /[^\S\n]{16,}/g;

function* sentences(text: string): Generator<string> {
  let start = 0;
  for (const match of text.matchAll(BORDER)) {
    const end = match.index + match[0].length;
    if (end > start) yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

const LONGEST_INDENT = 16;

/** Condensed white space: a paragraph, a line with its indentation, or a space. */
function gapOf(before: string): string {
  if (before === '') return '';
  const end = before.lastIndexOf('\n');
  if (end === -1) return ' ';
  return (before.indexOf('\n') < end ? '\n\n' : '\n') + before.slice(end + 1, end + 1 + LONGEST_INDENT);
}

/** The end of a slice of at most `length` characters that splits no surrogate pair. */
function safeEnd(text: string, start: number, length: number): number {
  const end = Math.min(start + length, text.length);
  const last = text.charCodeAt(end - 1);
  const isHalf = end < text.length && end - start > 1 && last >= 0xd800 && last <= 0xdbff;
  return isHalf ? end - 1 : Math.max(end, last >= 0xd800 && last <= 0xdbff ? Math.min(start + 2, text.length) : end);
}

/** A word in slices of at most `limit` tokens. A single character is not split, however many tokens it has. */
function* slices(word: string, limit: number): Generator<string> {
  let at = 0;
  while (at < word.length) {
    let length = Math.min(LONGEST_WORD, word.length - at);
    let end = safeEnd(word, at, length);
    while (length > 1 && tokensOf(word.slice(at, end)) > limit) {
      length = Math.ceil(length / 2);
      const next = safeEnd(word, at, length);
      if (next === end) break;
      end = next;
    }
    yield word.slice(at, end);
    at = end;
  }
}

/** The words of a text, each with the white space before it. A long word is split into slices without space in between. */
function* words(text: string, limit: number): Generator<string> {
  for (const [word] of text.matchAll(/\s*\S{1,4096}/g)) {
    if (word.length <= LONGEST_WORD && tokensOf(word) <= limit) yield word;
    else {
      const trimmed = word.trimStart();
      let space = word.slice(0, word.length - trimmed.length);
      for (const slice of slices(trimmed, limit)) {
        yield space + slice;
        space = '';
      }
    }
  }
}

/** A text in pieces of whole words, each of at most `limit` tokens. */
function* pieces(text: string, limit: number): Generator<string> {
  let piece = '';
  let tokens = 0;
  for (const word of words(text, limit)) {
    const more = tokensOf(word);
    // The sum can be slightly less than the tokens of the whole text, so a quarter is left free.
    if (piece !== '' && tokens + more > Math.ceil(limit * 0.75)) {
      yield piece;
      piece = '';
      tokens = 0;
    }
    piece += word;
    tokens += more;
  }
  if (piece !== '') yield piece;
}

/** The white space at the start, and the text without white space at both ends. */
function parted(raw: string): { before: string; text: string } {
  const text = raw.trimStart();
  return { before: raw.slice(0, raw.length - text.length), text: text.trimEnd().replace(WIDE_SPACE, ' ') };
}

/** Splits segments so that no unit has more than `proseLimit` tokens, or `rowLimit` for a row or heading. Only white space is lost. */
export function* unitsOf(segments: Iterable<Segment>, proseLimit: number, rowLimit = proseLimit): Generator<Unit> {
  let isFirst = true;
  for (const segment of segments) {
    const { page, heading } = segment;
    let space = isFirst ? '' : segment.isTight ? '\n' : '\n\n';
    const isHeading = segment.kind === 'heading';
    const limit = segment.kind === 'prose' ? proseLimit : rowLimit;
    for (const raw of segment.kind === 'prose' ? sentences(segment.text) : [segment.text]) {
      const { before, text } = parted(raw);
      space += before;
      if (text === '') continue;
      const gap = gapOf(space);
      const tokens = text.length > MAX_CHUNK_TEXT / 4 ? Infinity : tokensOf(gap + text);
      isFirst = false;
      if (tokens <= limit && (segment.kind !== 'prose' || text.length <= LONGEST_SENTENCE)) {
        yield { text, gap, tokens, isHeading, page, heading };
      } else {
        let isFirstPiece = true;
        for (const piece of pieces(text, Math.min(limit, LONGEST_PIECE_TOKENS))) {
          const part = parted(piece);
          const pieceGap = isFirstPiece ? gap : gapOf(part.before);
          isFirstPiece = false;
          yield { text: part.text, gap: pieceGap, tokens: tokensOf(pieceGap + part.text), isHeading: false, page, heading };
        }
      }
      space = raw.slice(raw.trimEnd().length);
    }
  }
}

export const joined = (units: readonly Unit[]) => units.map((unit, index) => (index === 0 ? unit.text : unit.gap + unit.text)).join('');
