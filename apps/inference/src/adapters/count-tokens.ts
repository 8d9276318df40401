import { setImmediate } from 'node:timers/promises';

/** A run of letters, of signs or of blanks is counted in pieces of this length: the tokenizer takes the square of a run's length. */
const LONGEST_RUN = 64;
const LONG_RUN = new RegExp(`[\\p{L}\\p{M}]{${LONGEST_RUN}}|[^\\s\\p{L}\\p{N}]{${LONGEST_RUN}}|\\s{${LONGEST_RUN}}`, 'gu');
/** Characters counted in one go. */
const PIECE = 1_024;
/** After this time others have their turn on the event loop. */
const MILLIS_AT_ONCE = 5;

/** Loaded when first needed: its tables take 30 MB that an idle process does not need. */
let tokenizer: Promise<typeof import('gpt-tokenizer/encoding/o200k_base')> | undefined;

/** Counts by a real tokenizer, without holding up the event loop. Exact for text without longer runs, whatever its length. */
export async function countTokens(text: string): Promise<number> {
  tokenizer ??= import('gpt-tokenizer/encoding/o200k_base');
  const { countTokens: count } = await tokenizer;
  let tokens = 0;
  let until = performance.now() + MILLIS_AT_ONCE;
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    let from = start;
    for (const { index, 0: run } of text.slice(start, end).matchAll(LONG_RUN)) {
      tokens += count(text.slice(from, start + index + run.length));
      from = start + index + run.length;
    }
    tokens += count(text.slice(from, end));
    start = end;
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + MILLIS_AT_ONCE;
  }
  return tokens;
}

/** Before a blank that follows a word: no token reaches over it. */
function endOfPiece(text: string, start: number): number {
  const latest = start + PIECE;
  if (latest >= text.length) return text.length;
  for (let end = latest; end > start + PIECE / 2; end--) {
    if (text[end] === ' ' && /[\p{L}\p{N}]/u.test(text[end - 1]!)) return end;
  }
  // Not in the middle of a surrogate pair.
  return /[\uDC00-\uDFFF]/.test(text[latest]!) ? latest - 1 : latest;
}
