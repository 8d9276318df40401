import { COUNTED_EXACTLY, countTokens } from '../count-tokens.ts';

/** Replaces text that was left out. */
export const LEFT_OUT = '\n[… left out, because the text is longer than the model can read …]\n';

/** The part of a text that is kept: its beginning, its beginning and its end, or its end. */
export type Kept = 'beginning' | 'both ends' | 'end';

/** The maximum number of rounds. Each round reduces the excess proportionally, so more are not needed. */
const TRIES = 12;
const LESS = 0.97;

/** The text in at most this many tokens, with a mark where it was cut. Only the mark is left if there is no room for more. */
export async function cut(text: string, tokens: number, kept: Kept): Promise<string> {
  const whole = await tokensOf(text);
  if (whole <= tokens) return text;
  let characters = Math.floor((text.length * Math.max(0, tokens - (await tokensOf(LEFT_OUT)))) / whole);
  for (let tried = 0; tried < TRIES && characters > 0; tried++) {
    const shorter = shortened(text, characters, kept);
    const counted = await tokensOf(shorter);
    if (counted <= tokens) return shorter;
    characters = Math.floor(characters * Math.min(LESS, tokens / counted));
  }
  return LEFT_OUT.trim();
}

function shortened(text: string, characters: number, kept: Kept): string {
  const front = kept === 'beginning' ? characters : kept === 'end' ? 0 : Math.ceil(characters / 2);
  const back = characters - front;
  // Do not leave half of a character at the cut.
  const [first, last] = [text.slice(0, front), back === 0 ? '' : text.slice(-back)].map((part) =>
    part.toWellFormed().replace(/^\uFFFD|\uFFFD$/g, ''),
  );
  return `${first}${LEFT_OUT}${last}`.trim();
}

/** A long text is estimated from samples. The margin of the window covers the error. */
export const tokensOf = async (text: string, exactly = COUNTED_EXACTLY): Promise<number> =>
  text === '' ? 0 : (await countTokens(text, exactly)).tokens;
