import type { RouteStrategy } from '@parlance/config';

/** What decides about the order of targets. */
export interface Candidate {
  readonly weight: number;
  /** Calls in flight. */
  readonly calls: number;
  /** Expected time until the first byte of an answer. Null for a target without an answer so far. */
  readonly firstByteMillis: number | null;
  /** What the call costs, roughly. */
  readonly cost: number;
}

/** Lower is better. `random`: from 0 to 1. */
type Score = (candidate: Candidate, random: number) => number;

const scores: Readonly<Record<RouteStrategy, Score>> = {
  // Each target is first as often as its weight says (the algorithm of Efraimidis and Spirakis).
  weighted: ({ weight }, random) => -Math.log(1 - random) / weight,
  // A target without an answer is tried, by one call at a time.
  fastest: ({ firstByteMillis, calls }) => firstByteMillis ?? (calls === 0 ? 0 : Infinity),
  least_busy: ({ calls }) => calls,
  cheapest: ({ cost }) => cost,
};

/** The targets in the order in which they should be called. Of equal ones, the one with fewer calls is first, otherwise any. */
export function inOrder<Target extends Candidate>(
  strategy: RouteStrategy,
  targets: readonly Target[],
  random: () => number = Math.random,
): readonly Target[] {
  return targets
    .map((target) => ({ target, score: scores[strategy](target, random()), tie: random() }))
    .toSorted((a, b) => compare(a.score, b.score) || a.target.calls - b.target.calls || a.tie - b.tie)
    .map(({ target }) => target);
}

// The difference of two infinite numbers is not a number.
const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);
