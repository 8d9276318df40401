/** A question and how often it was asked, also in other words that are nearly the same. */
export interface PopularQuery {
  readonly query: string;
  readonly count: number;
}

/** Characters of a query that are compared. */
const COMPARED = 300;
/** Share of parts of three characters that two texts must have in common (Dice) to be one question. */
const ALIKE = 0.8;
/** Groups that others may join. The rarest groups are counted by themselves. */
const MOST_LEADERS = 100;

/** A text without case, accents in other forms, punctuation and needless space. */
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
  /** How often the question was written in each way. */
  readonly forms: Map<string, number>;
}

/**
 * Counts questions. Those that differ in case, space and punctuation are the same. Those that are nearly the same join the one that was asked
 * more often. Each is shown as it was written most often.
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

  /** The questions that were asked most often. Yields after some comparisons, so that the caller can give others a turn. */
  *top(limit: number): Generator<undefined, readonly PopularQuery[]> {
    const leaders: { readonly parts: ReadonlySet<string>; readonly query: string; count: number }[] = [];
    for (const [folded, { count, forms }] of [...this.groups].toSorted(
      ([a, its], [b, other]) => other.count - its.count || (a < b ? -1 : 1),
    )) {
      const parts = partsOf(folded);
      const leader = leaders.find((each) => areAlike(each.parts, parts));
      if (leader) leader.count += count;
      else if (leaders.length < MOST_LEADERS) leaders.push({ parts, query: mostFrequent(forms), count });
      yield;
    }
    const sorted = leaders.toSorted((a, b) => b.count - a.count).slice(0, limit);
    return sorted.map(({ query, count }) => ({ query, count }));
  }
}

/** The parts of three characters of a folded text, with its beginning and its end. */
function partsOf(folded: string): ReadonlySet<string> {
  const characters = [...` ${folded} `];
  return new Set(characters.slice(2).map((_, nth) => characters.slice(nth, nth + 3).join('')));
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  // Even if all parts of the smaller one are in the larger one, the share is too low.
  if (2 * small.size < ALIKE * (small.size + large.size)) return false;
  let common = 0;
  for (const part of small) if (large.has(part)) common++;
  return 2 * common >= ALIKE * (small.size + large.size);
}

/** Of equally frequent ones the first in the order of characters, so that the answer is the same each time. */
const mostFrequent = (forms: ReadonlyMap<string, number>): string =>
  [...forms].toSorted(([a, count], [b, other]) => other - count || (a < b ? -1 : 1))[0]![0];
