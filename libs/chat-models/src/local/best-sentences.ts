import type { Chunk } from '../chat-model.ts';
import { withoutMarkers } from '../citation-markers.ts';
import { isFunctionWord } from './function-words.ts';
import { sentenceParts } from './sentences.ts';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { wordsOf } from './words.ts';

/** Maximum number of quoted sentences. */
const MOST_QUOTED = 4;
/** A quoted sentence has at least this share of the best score. */
const LEAST_SHARE = 0.5;
/** Characters of the question that are compared. */
const QUESTION_READ = 4_000;
/** Maximum number of compared sentences, about 256 KiB of text. The rest of the chunks is not read. */
const MOST_COMPARED = 10_000;
/** The score of another form of a word. The word itself scores 1. */
const OTHER_FORM = 0.8;
/** The score of a function word such as "how" or "do". Other words score 1. */
const FUNCTION_WORD = 0.1;
/** Added for the rank of the chunk. It decides between sentences that match equally. */
const FOR_RANK = 0.05;
/** A Markdown heading repeats the question instead of answering it, so it is quoted only if nothing else matches. */
const HEADING = /^#{1,6} /;

export interface Quote {
  readonly sentence: string;
  readonly chunk: Chunk;
}

interface Candidate extends Quote {
  /** For each stem of the question, how well the sentence matches it. */
  readonly found: ReadonlyMap<string, number>;
  readonly words: number;
}

/**
 * The sentences of the chunks that have most of the question's words, best first. Rare words count more. The same input gives the same sentences.
 * Empty if no sentence has a word of the question. Does not block the event loop.
 */
export async function bestSentences(question: string, chunks: readonly Chunk[], signal: AbortSignal): Promise<readonly Quote[]> {
  const { candidates, frequency } = await compare(wordsOf(question.slice(0, QUESTION_READ)), chunks, signal);
  const found = candidates.filter((candidate) => candidate.found.size > 0);
  const answers = found.filter(({ sentence }) => !HEADING.test(sentence));
  const matching = answers.length > 0 ? answers : found;
  const average = candidates.reduce((sum, { words }) => sum + words, 0) / candidates.length;
  const scored = matching.map((candidate) => ({ ...candidate, score: scoreOf(candidate, frequency, candidates.length, average) }));
  scored.sort((one, other) => other.score - one.score);
  const least = (scored[0]?.score ?? 0) * LEAST_SHARE;
  return scored.slice(0, MOST_QUOTED).filter(({ score }) => score >= least);
}

async function compare(asked: ReadonlyMap<string, string>, chunks: readonly Chunk[], signal: AbortSignal) {
  const stems = new Set(asked.values());
  const candidates: Candidate[] = [];
  const frequency = new Map<string, number>();
  // Chunks overlap, so the same sentence may be in two of them.
  const seen = new Set<string>();
  for (const chunk of chunks) {
    for (const part of sentenceParts(withoutMarkers(chunk.content))) {
      await yieldTurn(signal);
      for (const sentence of part) {
        if (isTurnOver()) await yieldTurn(signal);
        if (seen.has(sentence)) continue;
        if (seen.size === MOST_COMPARED) return { candidates, frequency };
        seen.add(sentence);
        const words = wordsOf(sentence);
        const found = matchesOf(asked, stems, words);
        for (const stem of found.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
        candidates.push({ sentence, chunk, found, words: words.size });
      }
    }
  }
  return { candidates, frequency };
}

async function yieldTurn(signal: AbortSignal): Promise<void> {
  if (!isTurnOver()) return;
  await nextTurn();
  signal.throwIfAborted();
}

function matchesOf(asked: ReadonlyMap<string, string>, stems: ReadonlySet<string>, words: ReadonlyMap<string, string>) {
  const found = new Map<string, number>();
  for (const [word, stem] of words) {
    if (!stems.has(stem)) continue;
    const weight = isFunctionWord(word) ? FUNCTION_WORD : asked.has(word) ? 1 : OTHER_FORM;
    found.set(stem, Math.max(found.get(stem) ?? 0, weight));
  }
  return found;
}

/** As in BM25, with each word counted once. */
function scoreOf({ found, words, chunk }: Candidate, frequency: ReadonlyMap<string, number>, count: number, average: number): number {
  let score = 0;
  for (const [stem, match] of found) {
    const sentences = frequency.get(stem)!;
    score += match * Math.log(1 + (count - sentences + 0.5) / (sentences + 0.5));
  }
  return (score * 2) / (1 + 0.5 + (0.5 * words) / average) + FOR_RANK / chunk.rank;
}
