/** Runs of letters and digits. Han, kana and hangul have no spaces, so their runs are compared by pairs of characters. */
const RUNS = /(?<pairs>[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+)|[\p{L}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;
/** In most languages, words that share this many first letters are forms of one word. This finds about as much as stemming. */
const STEM = 5;
const LONGEST_WORD = 64;

/** The words of a text, each with its stem, in lower case and without accents. */
export function wordsOf(text: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const { 0: run, groups } of text.normalize('NFKD').replace(MARKS, '').normalize('NFC').toLowerCase().matchAll(RUNS)) {
    if (groups?.['pairs'] === undefined) words.set(run.slice(0, LONGEST_WORD), run.slice(0, STEM));
    else for (const pair of pairsOf(run)) words.set(pair, pair);
  }
  return words;
}

function pairsOf(run: string): string[] {
  const letters = Array.from(run);
  return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => letters[at]! + letter);
}
