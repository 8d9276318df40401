import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

// The tokenizer's time is quadratic in the length of a run: 150 ms for 8,192 letters, 3 ms for 1,024.
const LONG_RUN = 512;
const RUNS = /\S{1,512}|\s{1,512}/g;

// Texts such as <|endoftext|> are ordinary characters here.
const PLAIN = { disallowedSpecial: new Set<string>() };

/** True if there may be a run without spaces that is too long. Faster than a regular expression, which searches from every letter. */
function mayHaveLongRun(text: string): boolean {
  for (let at = 0; at + LONG_RUN < text.length;) {
    const space = text.lastIndexOf(' ', at + LONG_RUN);
    if (space < at) return true;
    at = space + 1;
  }
  return false;
}

/** The tokens of a text in o200k_base. A run without spaces is counted in slices of 512 characters. */
export function tokensOf(text: string): number {
  if (!mayHaveLongRun(text)) return countTokens(text, PLAIN);
  let tokens = 0;
  let plain = '';
  for (const [run] of text.matchAll(RUNS)) {
    if (run.length < LONG_RUN) plain += run;
    else {
      tokens += countTokens(plain, PLAIN) + countTokens(run, PLAIN);
      plain = '';
    }
  }
  return tokens + countTokens(plain, PLAIN);
}
