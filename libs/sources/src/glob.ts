/**
 * A pattern in which `*` matches any number of characters, including `/`. Everything else is literal. Matching takes time proportional to the
 * length of the text plus the length of the pattern; a user's regular expression could take hours.
 */
export class Glob {
  private readonly pieces: readonly Piece[];

  /** With `toEnd`, the pattern must match the whole text, otherwise only its beginning. */
  constructor(
    pattern: string,
    private readonly toEnd: boolean,
  ) {
    this.pieces = pattern.split(/\*+/).map((text) => ({ text, borders: bordersOf(text) }));
  }

  matches(text: string): boolean {
    const [first, ...rest] = this.pieces;
    if (first === undefined || !text.startsWith(first.text)) return false;
    const last = this.toEnd ? rest.pop() : undefined;
    if (this.toEnd && last === undefined) return text === first.text;
    let at = first.text.length;
    for (const piece of rest) {
      const found = indexOf(text, piece, at);
      if (found === -1) return false;
      at = found + piece.text.length;
    }
    return last === undefined || (text.length - last.text.length >= at && text.endsWith(last.text));
  }
}

interface Piece {
  readonly text: string;
  /** For each prefix of the text, the length of its longest suffix that is also a prefix (Knuth, Morris and Pratt). */
  readonly borders: Uint16Array;
}

function bordersOf(text: string): Uint16Array {
  const borders = new Uint16Array(text.length);
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length++;
    borders[at] = length;
  }
  return borders;
}

function indexOf(text: string, { text: piece, borders }: Piece, from: number): number {
  if (piece === '') return from;
  for (let at = from, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== piece[length]) length = borders[length - 1] ?? 0;
    if (text[at] === piece[length]) length++;
    if (length === piece.length) return at - length + 1;
  }
  return -1;
}
