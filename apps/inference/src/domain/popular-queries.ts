/** A question, and how often it or a nearly identical one was asked. */
export interface PopularQuery {
  readonly query: string;
  readonly count: number;
}

/** Characters of a query that are compared. */
const COMPARED = 300;
/** The Dice similarity of their trigrams from which two texts count as one question. */
const ALIKE = 0.8;
/** Groups that others may join. Rarer groups are counted on their own. */
const MOST_LEADERS = 100;

/** A text in lower case and NFKC, without punctuation and needless spaces. */
export function foldedQuery(text: string): string {
  return text
    .slice(0, COMPARED)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

interface Group {
  count: number;
  /** How many times the question was written in each way. */
  readonly forms: Map<string, number>;
}

/**
 * Counts questions. Questions that differ only in case, spaces and punctuation are the same. A nearly identical question joins the one that was
 * asked more often. Each is shown in its most frequent spelling.
 */
export class PopularQueries {
  private readonly groups = new Map<string, Group>();

  add(text: string): void {
    const folded = foldedQuery(text);
    if (folded === '') return;
    const written = text.slice(0, COMPARED).replaceAll(/\s+/gu, ' ').trim();
    const group = this.groups.get(folded) ?? { count: 0, forms: new Map<string, number>() };
    this.groups.set(folded, group);
    group.count++;
    group.forms.set(written, (group.forms.get(written) ?? 0) + 1);
  }

  /** The most frequent questions. Yields regularly, so that the caller can let other work run. */
  *top(limit: number): Generator<undefined, readonly PopularQuery[]> {
    const leaders: { readonly parts: ReadonlySet<string>; readonly query: string; count: number }[] = [];
    for (const [folded, { count, forms }] of [...this.groups].toSorted(
      ([a, its], [b, other]) => other.count - its.count || (a < b ? -1 : 1),
    )) {
      const parts = trigramsOf(folded);
      const leader = leaders.find((each) => areAlike(each.parts, parts));
      if (leader) leader.count += count;
      else if (leaders.length < MOST_LEADERS) leaders.push({ parts, query: mostFrequent(forms), count });
      yield;
    }
    const sorted = leaders.toSorted((a, b) => b.count - a.count).slice(0, limit);
    return sorted.map(({ query, count }) => ({ query, count }));
  }
}

/** The trigrams of a folded text, including its beginning and end. */
function trigramsOf(folded: string): ReadonlySet<string> {
  const characters = [...` ${folded} `];
  return new Set(characters.slice(2).map((_, index) => characters.slice(index, index + 3).join('')));
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  // Even if the larger one has all trigrams of the smaller one, the similarity is too low.
  if (2 * small.size < ALIKE * (small.size + large.size)) return false;
  let common = 0;
  for (const part of small) if (large.has(part)) common++;
  return 2 * common >= ALIKE * (small.size + large.size);
}

/** Equally frequent forms are ordered by their characters, so that the answer is always the same. */
const mostFrequent = (forms: ReadonlyMap<string, number>): string =>
  [...forms].toSorted(([a, count], [b, other]) => other - count || (a < b ? -1 : 1))[0]![0];
