// Also runs uncompiled in threads: only erasable types.
import type { SearchType } from './knowledge-indexes.ts';
import { MIN_CANDIDATES } from './limits.ts';

/** The constant of reciprocal rank fusion. 10 was best in measurements on three collections. The usual 60 hardly separates ranks. */
const FUSION_K = 10;

export interface Candidate {
  readonly id: string;
  /** The same for chunks with a common parent. Null without a parent. */
  readonly parent: string | number | null;
  readonly score: number;
}

export interface Ranked<C extends Candidate> {
  readonly candidate: C;
  readonly score: number;
  readonly lexicalRank: number | null;
  readonly vectorRank: number | null;
}

export const candidatesFor = (limit: number): number => Math.max(MIN_CANDIDATES, 2 * limit);

const byScore = (one: { score: number; id: string }, other: { score: number; id: string }): number =>
  other.score - one.score || (one.id < other.id ? -1 : Number(one.id > other.id));

/** The candidates of both lists in one order. Only the best chunk of each parent stays. Equal scores are ordered by id. */
export function fuse<C extends Candidate>(
  type: SearchType,
  sides: { lexical: readonly C[]; vector: readonly C[] },
  limit: number,
): Ranked<C>[] {
  const ranked = new Map<string, { candidate: C; id: string; score: number; lexicalRank: number | null; vectorRank: number | null }>();
  for (const side of ['lexical', 'vector'] as const) {
    const best = [...sides[side]].sort(byScore).slice(0, candidatesFor(limit));
    for (const [index, candidate] of best.entries()) {
      const found = ranked.get(candidate.id) ?? { candidate, id: candidate.id, score: 0, lexicalRank: null, vectorRank: null };
      found[`${side}Rank`] = index + 1;
      // The first of both lists gets 1.
      found.score = type === 'hybrid' ? found.score + (FUSION_K + 1) / (2 * (FUSION_K + index + 1)) : candidate.score;
      ranked.set(candidate.id, found);
    }
  }
  const parents = new Set<string | number>();
  const result: Ranked<C>[] = [];
  for (const { candidate, score, lexicalRank, vectorRank } of [...ranked.values()].sort(byScore)) {
    if (result.length === limit) break;
    if (candidate.parent !== null) {
      if (parents.has(candidate.parent)) continue;
      parents.add(candidate.parent);
    }
    result.push({ candidate, score, lexicalRank, vectorRank });
  }
  return result;
}
