import type { OpenedCall, OpenedRound } from '../workflows/tools/opened-rounds.ts';
import type { ContentPart } from './answers.ts';

/**
 * The parts of a message in order: reasoning and text, with tool calls and their results at the positions where they were made. `reasoning` and
 * `text` are null while the reply is being written. Then the rounds have what is recorded so far.
 */
export function partsOf(reasoning: string | null, text: string | null, rounds: readonly OpenedRound[]): ContentPart[] {
  const at = { reasoning: 0, text: 0 };
  const parts = rounds.flatMap((round): ContentPart[] => {
    const thoughts = reasoning?.slice(at.reasoning, round.reasoningAt) ?? (round.isShown ? round.reasoning : '');
    const written = text?.slice(at.text, round.textAt) ?? (round.isShown ? round.text : '');
    Object.assign(at, { reasoning: round.reasoningAt, text: round.textAt });
    return [...textParts(thoughts, written), ...round.calls.map(useOf), ...round.calls.flatMap(resultOf)];
  });
  return [...parts, ...textParts(reasoning?.slice(at.reasoning) ?? '', text?.slice(at.text) ?? '')];
}

/** A reply that was stopped before its first word has no parts. */
const textParts = (thoughts: string, body: string): ContentPart[] => [
  ...(thoughts === '' ? [] : [{ content_type: 'reasoning', body: thoughts } as const]),
  ...(body === '' ? [] : [{ content_type: 'text', body } as const]),
];

const useOf = ({ callId: tool_use_id, name, input }: OpenedCall): ContentPart => ({
  content_type: 'tool_use',
  body: { tool_use_id, name, input: { ...input } },
});

const resultOf = ({ callId: tool_use_id, name, outcome: status, text: content }: OpenedCall): ContentPart[] =>
  status === null ? [] : [{ content_type: 'tool_result', body: { tool_use_id, name, status, content } }];
