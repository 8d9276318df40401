/** Code units of a tag or a target that are held back. What is longer is made harmless without waiting for its end. */
export const LONGEST_HELD = 2_048;

/** The place of the parenthesis that closes the one at the beginning of `](…`; -1 if it is not there. */
export function closingOf(text: string): number {
  let depth = 0;
  for (let at = 1; at < text.length && at <= LONGEST_HELD; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
    else if (character === '\n' && text[at + 1] === '\n') return -1;
    // A target has no link in it. So each character is looked at for one target only.
    else if (character === ']' && text[at + 1] === '(') return -1;
  }
  return -1;
}
