import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type At, type Change, patch, remove, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { Usage } from '../../domain/conversation-events.ts';
import type { CallOutcome, MadeCall, ToolEvent } from '../../domain/conversation-tools.ts';
import type { MessageRow, PendingReplyRow } from './message-rows.ts';

/** A tool call. The input and the result are sealed. */
export interface ToolCallRow {
  readonly call_id: string;
  readonly name: string;
  readonly input: string;
  readonly hash: string;
  /** Absent if the call needs no approval. */
  readonly approval?: 'pending' | 'approved' | 'denied' | 'expired';
  readonly is_begun?: true;
  readonly outcome?: CallOutcome;
  readonly result?: string;
}

/** A model call that ended with tool calls. */
export interface ToolRoundRow {
  readonly said: string;
  readonly text_at: number;
  readonly reasoning_at: number;
  readonly tries: number;
  readonly approval_until?: Instant;
  readonly calls: readonly ToolCallRow[];
  /** IDs of the calls in the order of their results. */
  readonly answered: readonly string[];
}

/** The rounds of a reply's tool calls. A row of its own keeps the rows of messages short. */
export interface ToolRoundsRow {
  readonly rounds: readonly ToolRoundRow[];
}

/** Totals of a reply's rounds, to be added to those of its last model call. */
export interface ToolTotals {
  /** Bytes of sealed texts in the row of the rounds. */
  readonly bytes: number;
  readonly usage: Usage;
  readonly cost_nano_dollars: number;
}

export const toolRoundRows = table<ToolRoundsRow>('tool_rounds');

interface Tables {
  readonly messages: Parameters<typeof patch<MessageRow>>[0];
  readonly pending: Parameters<typeof patch<PendingReplyRow>>[0];
}

type On<Type extends ToolEvent['type']> = (event: Extract<ToolEvent, { type: Type }>, at: At) => Change[];

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

/** How tool events change the rows of messages, of pending replies, and of rounds. */
export function onTools({ messages, pending }: Tables): { readonly [Type in ToolEvent['type']]: On<Type> } {
  const keyOf = (event: ToolEvent, { stream }: At) => `${idInStream(stream)}/${event.replyId}`;
  const inLast = (event: ToolEvent, at: At, change: (round: ToolRoundRow) => ToolRoundRow): Change =>
    update(toolRoundRows, keyOf(event, at), (row) => row && { rounds: [...row.rounds.slice(0, -1), change(row.rounds.at(-1)!)] });
  const withTotals = (event: ToolEvent, at: At, more: Partial<ToolTotals>): Change =>
    update(messages, keyOf(event, at), (row) => row && { ...row, tools: sumOf(row.tools, more) });
  return {
    ToolsCalled: (event, at) => {
      const { said, textAt, reasoningAt, approvalUntil, calls, usage, costNanoDollars, tries = 1 } = event;
      const round: ToolRoundRow = {
        said,
        text_at: textAt,
        reasoning_at: reasoningAt,
        tries,
        calls: calls.map(rowOf),
        answered: [],
        ...(approvalUntil !== undefined && { approval_until: approvalUntil }),
      };
      const bytes = said.length + calls.reduce((sum, { input }) => sum + input.length, 0);
      return [
        update(toolRoundRows, keyOf(event, at), (row) => ({ rounds: [...(row?.rounds ?? []), round] })),
        withTotals(event, at, { bytes, usage, cost_nano_dollars: costNanoDollars }),
      ];
    },
    ToolCallBegun: (event, at) => [inLast(event, at, (round) => withCall(round, event.callId, { is_begun: true }))],
    ToolAnswered: (event, at) => [
      inLast(event, at, (round) => ({
        ...withCall(round, event.callId, { outcome: event.outcome, result: event.result }),
        answered: [...round.answered, event.callId],
      })),
      withTotals(event, at, { bytes: event.result.length }),
      ...(event.files
        ? [update(messages, keyOf(event, at), (row) => row && { ...row, files: [...(row.files ?? []), ...event.files!] })]
        : []),
    ],
    ToolCallDecided: (event, at) => {
      const approval = event.isApproved ? 'approved' : event.userId === null ? 'expired' : 'denied';
      const change = inLast(event, at, (round) => withCall(round, event.callId, { approval }));
      return event.resumes ? [change, ...resumed({ messages, pending }, keyOf(event, at), event.replyId, at)] : [change];
    },
    ApprovalAwaited: (event, at) => [
      patch(messages, keyOf(event, at), { status: 'awaiting_approval', claim: event.claim }),
      // From then on any worker may continue without the approval.
      patch(pending, event.replyId, { lease_until: event.until, is_awaiting: 1 }),
    ],
  };
}

/** Any worker may take the reply now. */
export const resumed = ({ messages, pending }: Tables, key: string, replyId: string, { metadata }: At): Change[] => [
  patch(messages, key, { status: 'processing' }),
  patch(pending, replyId, { lease_until: metadata.at, is_awaiting: 0 }),
];

export const withoutTools = (key: string): Change => remove(toolRoundRows, key);

function rowOf({ callId, name, input, hash, needsApproval, isDenied }: MadeCall): ToolCallRow {
  return { call_id: callId, name, input, hash, ...(needsApproval && { approval: isDenied ? 'denied' : 'pending' }) };
}

function withCall(round: ToolRoundRow, callId: string, change: Partial<ToolCallRow>): ToolRoundRow {
  return { ...round, calls: round.calls.map((call) => (call.call_id === callId ? { ...call, ...change } : call)) };
}

function sumOf(before: ToolTotals | undefined, { bytes = 0, usage = NO_USAGE, cost_nano_dollars = 0 }: Partial<ToolTotals>): ToolTotals {
  return {
    bytes: (before?.bytes ?? 0) + bytes,
    usage: usageSum(before?.usage ?? NO_USAGE, usage),
    cost_nano_dollars: (before?.cost_nano_dollars ?? 0) + cost_nano_dollars,
  };
}

export function usageSum(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    estimated: one.estimated || other.estimated,
  };
}

/** The rounds of the reply with this message key. Empty for a reply that called no tools. */
export const ToolRoundsOf = query('ToolRoundsOf', async (models, key: string): Promise<readonly ToolRoundRow[]> => {
  return (await models.get(toolRoundRows, key))?.rounds ?? [];
});
