export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The work grows with the product of the numbers of differing lines. More than this would block the page. */
const MOST_CELLS = 4_000_000;

/** The line diff of two texts. Null if they are too long. */
export function lineDiff(before: string, after: string): readonly DiffLine[] | null {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (from.length * to.length > MOST_CELLS) return null;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ kind: 'same', text }));
  return [...same(a.slice(0, start)), ...between(from, to), ...same(a.slice(a.length - end))];
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** Keeps a longest common subsequence of lines; the rest is removed or added. */
function between(a: readonly string[], b: readonly string[]): DiffLine[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j] ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i]! });
      i++;
      j++;
    } else if (j === b.length || (i < a.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) {
      lines.push({ kind: 'removed', text: a[i]! });
      i++;
    } else {
      lines.push({ kind: 'added', text: b[j]! });
      j++;
    }
  }
  return lines;
}

/** The number of unchanged lines shown before and after each change. */
const BESIDE = 2;

/** The diff with long unchanged parts replaced by their length. */
export function folded(lines: readonly DiffLine[]): readonly (DiffLine | { readonly kind: 'folded'; readonly count: number })[] {
  const isShown = lines.map((_, index) => lines.slice(Math.max(0, index - BESIDE), index + BESIDE + 1).some(({ kind }) => kind !== 'same'));
  const shown: (DiffLine | { kind: 'folded'; count: number })[] = [];
  for (const [index, line] of lines.entries()) {
    const last = shown.at(-1);
    if (isShown[index]) shown.push(line);
    else if (last?.kind === 'folded') last.count++;
    else shown.push({ kind: 'folded', count: 1 });
  }
  return shown;
}
