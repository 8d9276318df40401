/** The word that was probably meant: the one with the fewest changed letters, when they are few. */
export function nearest(word: string, words: Iterable<string>): string | null {
  let best: string | null = null;
  let fewest = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    const changed = distance(word.toLowerCase(), candidate.toLowerCase());
    if (changed < fewest) [best, fewest] = [candidate, changed];
  }
  return best;
}

/** Levenshtein's: letters put in, left out or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
