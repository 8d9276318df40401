import type { Chunk } from '../chat-model.ts';
import { withoutOwnWords } from '../local/local-extractive.ts';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Clause, clauseOf, clausesOf, saysAnything } from './clauses.ts';
import { Evidence } from './evidence.ts';

/** A clause is supported if one position in the retrieved texts has this share of its words. */
const SUPPORTED = 0.6;
/** The weight of a question word that occurs neither in the texts nor in the answer. It is usually a synonym of one of their words. */
const UNKNOWN = 0.3;
/** Characters of the question that are compared. */
const QUESTION_READ = 4_000;

export interface Checked {
  readonly question: string;
  readonly answer: string;
  readonly chunks: readonly Chunk[];
}

/** From 0 to 1; null if there is nothing to compare. */
export interface GroundingScores {
  /** The share of the answer, weighted by its words, that the retrieved texts support. */
  readonly grounding: number | null;
  /** The share of the question, weighted by its words, that the answer and its supporting texts cover. */
  readonly relevance: number | null;
}

/**
 * Compares an answer with the texts that were retrieved for it. A clause is supported if one position in the texts has most of its words, all of
 * its numbers and the same negation. The same input gives the same scores. Does not block the event loop.
 */
export async function groundingOf({ question, answer, chunks }: Checked, signal: AbortSignal): Promise<GroundingScores> {
  const evidence = await Evidence.of(chunks, signal);
  const answered = new Set<string>();
  let [whole, supported] = [0, 0];
  for (const clause of clausesOf(withoutOwnWords(answer, chunks))) {
    if (isTurnOver()) await nextTurn();
    signal.throwIfAborted();
    if (!saysAnything(clause)) continue;
    for (const stem of clause.stems) answered.add(stem);
    const { weight, share, place } = await evidence.supportOf(clause);
    whole += weight;
    if (place === null || share < SUPPORTED) continue;
    supported += weight;
    for (const stem of evidence.stemsAround(place)) answered.add(stem);
  }
  if (whole === 0) return { grounding: null, relevance: null };
  return { grounding: rounded(supported / whole), relevance: relevanceOf(clauseOf(question.slice(0, QUESTION_READ)), answered, evidence) };
}

function relevanceOf({ stems }: Clause, answered: ReadonlySet<string>, evidence: Evidence): number | null {
  let [whole, found] = [0, 0];
  for (const stem of stems) {
    const isKnown = answered.has(stem) || evidence.has(stem);
    const weight = evidence.weightOf({ stems: [stem], ...NO_MORE }) * (isKnown ? 1 : UNKNOWN);
    whole += weight;
    if (answered.has(stem)) found += weight;
  }
  return whole === 0 ? null : rounded(found / whole);
}

const NO_MORE = { numbers: [], isNegated: false, negated: null } as const;

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000;
