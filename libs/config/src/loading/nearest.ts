/** The most similar word, if only a few letters differ. */
export function nearest(word: string, words: Iterable<string>): string | null {
  let best: string | null = null;
  let fewest = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    const changed = distance(word.toLowerCase(), candidate.toLowerCase());
    if (changed < fewest) [best, fewest] = [candidate, changed];
  }
  return best;
}

/** Levenshtein distance: inserted, deleted or changed letters. */
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
