import type { Chunk, ToolCall, Turn } from '@parlance/chat-models';
import type { Instant } from '@parlance/decider';
import { type Sealed, Vault } from '@parlance/privacy';
import type { CallOutcome } from '../../domain/conversation-tools.ts';
import type { ToolCallRow, ToolRoundRow } from '../../projections/messages/tool-calls.ts';

/** Numbered texts of a bot's knowledge, and their IDs in the index. */
export interface FoundTexts {
  readonly chunks: readonly Chunk[];
  readonly chunkIds: readonly string[];
}

/** The texts of a model in a round, in the form in which they are sealed. */
export interface RoundTexts {
  readonly text: string;
  readonly reasoning: string;
  /** Whether the text is part of the reply. With a guardrail it is not, because only the last text is checked. */
  readonly isShown: boolean;
  /** Set in the first round: the texts that the bot found for the question. The text may cite their numbers. */
  readonly found?: FoundTexts;
}

/** A call's input, in the form in which it is sealed. */
export interface SealedInput {
  readonly input: Readonly<Record<string, unknown>>;
  /** Why the tool cannot be called with it. Null if it can. */
  readonly fault: string | null;
  readonly salt: string;
}

/** A call's result, in the form in which it is sealed. */
export interface SealedResult {
  readonly text: string;
  /** New texts that a search in the knowledge has found. */
  readonly found?: FoundTexts;
}

export interface OpenedCall extends ToolCall, SealedInput {
  readonly hash: string;
  readonly approval?: ToolCallRow['approval'];
  readonly isBegun: boolean;
  /** Null while the call has no result. */
  readonly outcome: CallOutcome | null;
  readonly text: string;
  readonly found?: FoundTexts;
}

export interface OpenedRound extends RoundTexts {
  readonly textAt: number;
  readonly reasoningAt: number;
  readonly approvalUntil: Instant | null;
  readonly calls: readonly OpenedCall[];
  /** IDs of the calls in the order of their results. */
  readonly answered: readonly string[];
}

/** Opens the rounds of a reply. Null if they were erased. */
export async function openedRounds(vault: Vault, rows: readonly ToolRoundRow[]): Promise<readonly OpenedRound[] | null> {
  const rounds: OpenedRound[] = [];
  for (const row of rows) {
    const texts = await vault.openJson<RoundTexts>(row.said as Sealed);
    const calls = await Promise.all(row.calls.map((call) => openedCall(vault, call)));
    if (!texts || calls.includes(null)) return null;
    const { text_at: textAt, reasoning_at: reasoningAt, approval_until: approvalUntil = null, answered } = row;
    rounds.push({ ...texts, textAt, reasoningAt, approvalUntil, answered, calls: calls as OpenedCall[] });
  }
  return rounds;
}

async function openedCall(vault: Vault, row: ToolCallRow): Promise<OpenedCall | null> {
  const { call_id: callId, name, hash, approval, is_begun: isBegun = false, outcome = null } = row;
  const input = await vault.openJson<SealedInput>(row.input as Sealed);
  const result = row.result === undefined ? { text: '' } : await vault.openJson<SealedResult>(row.result as Sealed);
  return input && result && { ...input, ...result, callId, name, hash, isBegun, outcome, ...(approval && { approval }) };
}

/** The part of the reply's text or reasoning that its rounds have written. */
export const openedText = (rounds: readonly OpenedRound[], part: 'text' | 'reasoning'): string =>
  rounds.map((round) => (round.isShown ? round[part] : '')).join('');

/** The rounds as turns of the prompt. */
export function turnsOf(rounds: readonly OpenedRound[]): Turn[] {
  return rounds.flatMap(({ text, calls }): Turn[] => [
    { role: 'assistant', text, calls: calls.map(({ callId, name, input }) => ({ callId, name, input })) },
    {
      role: 'tool',
      text: '',
      results: calls.map((call) => ({ callId: call.callId, name: call.name, text: call.text, isError: call.outcome !== 'succeeded' })),
    },
  ]);
}

/** An event in a reply's stream, and how much of the text and the reasoning precedes it. */
export interface ToolMark {
  readonly textAt: number;
  readonly reasoningAt: number;
  readonly event: 'tool' | 'approval';
  readonly data: object;
}

/** Characters of a result in an event of the stream. The message has the whole result. */
const SHOWN_RESULT = 4_096;

/** The events of a round: its calls, then the results in the order of their arrival. */
export function marksOf(round: OpenedRound): ToolMark[] {
  const results = round.answered.flatMap((id) => round.calls.filter(({ callId }) => callId === id));
  return [...round.calls.map((call) => callMark(round, call)), ...results.map((call) => resultMark(round, call))];
}

type RoundPosition = Pick<OpenedRound, 'textAt' | 'reasoningAt' | 'approvalUntil'>;

export const callMark = (position: RoundPosition, { callId: call_id, name, input, approval }: OpenedCall): ToolMark => ({
  ...offsetsOf(position),
  // Without an expiry, no approvals are requested.
  ...(approval === undefined || position.approvalUntil === null
    ? { event: 'tool', data: { call_id, name, input, status: 'running' } }
    : { event: 'approval', data: { call_id, name, input, expires_at: secondsOf(position.approvalUntil) } }),
});

export const resultMark = (position: RoundPosition, { callId: call_id, name, input, outcome: status, text }: OpenedCall): ToolMark => ({
  ...offsetsOf(position),
  event: 'tool',
  data: { call_id, name, input, status, result: text.slice(0, SHOWN_RESULT).toWellFormed() },
});

const offsetsOf = ({ textAt, reasoningAt }: RoundPosition) => ({ textAt, reasoningAt });

const secondsOf = (moment: Instant | null): number | null => (moment === null ? null : Math.floor(moment / 1_000));
