import type { Checked } from '../grounding/grounding.ts';
import { type GuardrailUnits, unitsOf } from './guardrail-units.ts';

/** Limits of Amazon Bedrock, in characters. */
export const LONGEST_PIECE = 5_000;
const LONGEST_SOURCE = 100_000;
const LONGEST_QUERY = 1_000;
/** Maximum pieces of one answer. */
export const MOST_PIECES = 20;

/** The outcome for an answer. `masked`: parts of it were replaced. */
export interface Outcome {
  readonly verdict: 'passed' | 'blocked' | 'masked';
  /** The text that replaces the answer. Empty if the guardrail has none. */
  readonly text: string;
  readonly grounding: number | null;
  readonly relevance: number | null;
}

/** The verdict on one piece. */
export interface PieceAnswer {
  readonly verdict: Outcome['verdict'];
  readonly text: string;
  readonly grounding: number | null;
  readonly relevance: number | null;
  readonly units: GuardrailUnits;
}

export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.length <= LONGEST_PIECE ? rest.length : endOfPiece(rest);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return pieces;
}

/** After the last end of a sentence, otherwise between two words, and never within a character. */
function endOfPiece(text: string): number {
  const most = text.slice(0, LONGEST_PIECE);
  const end = Math.max(most.lastIndexOf('. '), most.lastIndexOf('\n'));
  if (end >= LONGEST_PIECE / 2) return end + 1;
  const space = most.lastIndexOf(' ');
  if (space >= LONGEST_PIECE / 2) return space + 1;
  return most.isWellFormed() ? LONGEST_PIECE : LONGEST_PIECE - 1;
}

/** The body of `ApplyGuardrail`. Without texts there is nothing to compare with, so only the other policies of the guardrail apply. */
export function bodyOf({ question, answer, chunks }: Checked): string {
  const part = (text: string, qualifier: string) => ({ text: { text, qualifiers: [qualifier] } });
  const source = chunks
    .map(({ content }) => content)
    .join('\n\n')
    .slice(0, LONGEST_SOURCE);
  const content =
    source.trim() === '' || question.trim() === ''
      ? [{ text: { text: answer } }]
      : [
          part(source.toWellFormed(), 'grounding_source'),
          part(question.slice(0, LONGEST_QUERY).toWellFormed(), 'query'),
          part(answer, 'guard_content'),
        ];
  return JSON.stringify({ source: 'OUTPUT', content });
}

/** Null for an answer without a verdict. */
export function answerOf(text: string): PieceAnswer | null {
  let read: { action?: unknown; outputs?: { text?: unknown }[]; assessments?: unknown[]; usage?: unknown } | null;
  try {
    read = JSON.parse(text) as typeof read;
  } catch {
    return null;
  }
  const action = read?.action;
  if (action !== 'NONE' && action !== 'GUARDRAIL_INTERVENED') return null;
  const assessments = Array.isArray(read?.assessments) ? read.assessments : [];
  const outputs = Array.isArray(read?.outputs) ? read.outputs : [];
  const found = JSON.stringify(assessments);
  const isMasked = found.includes('"action":"ANONYMIZED"') && !found.includes('"action":"BLOCKED"');
  return {
    verdict: action === 'NONE' ? 'passed' : isMasked ? 'masked' : 'blocked',
    text: outputs.map((output) => (typeof output?.text === 'string' ? output.text : '')).join(''),
    grounding: scoreOf(assessments, 'GROUNDING'),
    relevance: scoreOf(assessments, 'RELEVANCE'),
    units: unitsOf(read?.usage),
  };
}

/** The lowest score of this kind. */
function scoreOf(assessments: readonly unknown[], kind: string): number | null {
  const scores = assessments.flatMap((each) => {
    const { contextualGroundingPolicy: policy } = (each ?? {}) as {
      contextualGroundingPolicy?: { filters?: { type?: string; score?: unknown }[] };
    };
    return (policy?.filters ?? []).flatMap(({ type, score }) => (type === kind && typeof score === 'number' ? [score] : []));
  });
  return scores.length === 0 ? null : Math.min(...scores);
}

/** One blocked piece blocks the whole answer. Masked pieces replace only their own part of it. */
export function outcomeOf(pieces: readonly string[], answers: readonly PieceAnswer[]): Outcome {
  const lowest = (kind: 'grounding' | 'relevance') => {
    const scores = answers.map((each) => each[kind]).filter((score) => score !== null);
    return scores.length === 0 ? null : Math.min(...scores);
  };
  const scores = { grounding: lowest('grounding'), relevance: lowest('relevance') };
  const blocked = answers.find(({ verdict }) => verdict === 'blocked');
  if (blocked) return { verdict: 'blocked', text: blocked.text, ...scores };
  if (answers.every(({ verdict }) => verdict === 'passed')) return { verdict: 'passed', text: pieces.join(''), ...scores };
  const text = answers.map(({ verdict, text: masked }, index) => (verdict === 'masked' ? masked : pieces[index]!)).join('');
  return { verdict: 'masked', text, ...scores };
}
