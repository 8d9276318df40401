/** Code units of a tag or a target that are held back. Longer ones are made harmless without waiting for their end. */
export const LONGEST_HELD = 2_048;

/** The index of the parenthesis that closes the one at the beginning of `](…`. -1 if there is none. */
export function closingOf(text: string): number {
  let depth = 0;
  for (let at = 1; at < text.length && at <= LONGEST_HELD; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
    else if (character === '\n' && text[at + 1] === '\n') return -1;
    // A target contains no link, so each character is scanned for one target only.
    else if (character === ']' && text[at + 1] === '(') return -1;
  }
  return -1;
}
