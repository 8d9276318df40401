import { type Decision, type Instant, refuse } from '@parlance/decider';
import type { Charge, ConversationEvent, MessageFile, Usage } from './conversation-events.ts';
import { isOwnedBy, type UsedApi } from './conversation-owner.ts';
import { claimLost, conversationNotFound, replyIsOver } from './conversation-refusals.ts';
import type { Conversation, RunningReply } from './conversation-state.ts';

/** A tool call by a model, recorded before any tool runs. */
export interface MadeCall {
  readonly callId: string;
  readonly name: string;
  /** Sealed. */
  readonly input: string;
  /** Hash of the input and a salt that is sealed with it, so that the hash reveals nothing once the key is destroyed. */
  readonly hash: string;
  readonly needsApproval?: true;
  /** A program made the request, so no user can approve the call. */
  readonly isDenied?: true;
}

/** `denied`: by the user, or because the approval came too late. */
export type CallOutcome = 'succeeded' | 'failed' | 'denied';

export type ToolEvent =
  /** A model call has ended with tool calls. Its charge is in the same append. */
  | {
      type: 'ToolsCalled';
      replyId: string;
      claim: string;
      /** Counts from 1. */
      round: number;
      model: string;
      /** The text and reasoning of the model in this round. Sealed. */
      said: string;
      /** The offsets of the calls in the whole reply's text and reasoning, in UTF-16 code units. */
      textAt: number;
      reasoningAt: number;
      calls: readonly MadeCall[];
      /** When open approvals expire. Absent if no call needs one. */
      approvalUntil?: Instant;
      usage: Usage;
      costNanoDollars: number;
      /** How many provider calls the round took, if more than one. */
      tries?: number;
      /** The blocks of budgets in which the next model call is reserved. Absent if the earlier reservation stays. */
      budgets?: readonly string[];
    }
  /** A call that may change something, or was approved, is about to run. It is never run twice. */
  | { type: 'ToolCallBegun'; replyId: string; claim: string; callId: string }
  /** The result is sealed. `files`: images that the call has made; with the user and the bot of the reply. */
  | {
      type: 'ToolAnswered';
      replyId: string;
      claim: string;
      callId: string;
      result: string;
      outcome: CallOutcome;
      files?: readonly MessageFile[];
      userId?: string;
      botId?: string | null;
      api?: UsedApi;
    }
  /** `userId` is null if the approval has expired. `resumes`: no other approval is awaited. */
  | { type: 'ToolCallDecided'; replyId: string; callId: string; isApproved: boolean; hash: string; userId: string | null; resumes?: true }
  /** The worker leaves the reply until the user has decided. `userId`, `botId`: absent in older events. */
  | { type: 'ApprovalAwaited'; replyId: string; claim: string; until: Instant; userId?: string; botId?: string | null };

type OfClaim = { replyId: string; claim: string };

export type ToolCommand =
  | ({ type: 'CallTools'; charge: Charge; failedCalls: readonly Charge[] } & Omit<
      Extract<ToolEvent, { type: 'ToolsCalled' }>,
      'type' | 'model' | 'usage' | 'costNanoDollars'
    >)
  /** `hash`: the hash of the input that the worker is about to pass. */
  | ({ type: 'BeginToolCall'; callId: string; hash: string } & OfClaim)
  /** `charges`: charges of calls that the tool itself made. */
  | ({
      type: 'AnswerToolCall';
      callId: string;
      result: string;
      outcome: CallOutcome;
      charges?: readonly Charge[];
      files?: readonly MessageFile[];
    } & OfClaim)
  /** The worker has nothing more to do before the user has decided. */
  | ({ type: 'AwaitApproval'; now: Instant } & OfClaim)
  | { type: 'DecideToolCall'; replyId: string; callId: string; userId: string; isApproved: boolean; now: Instant };

interface CallState {
  readonly hash: string;
  readonly approval?: 'pending' | 'approved' | 'denied';
  readonly isBegun?: true;
  readonly isAnswered?: true;
}

/** The calls of the latest round of a reply. */
export interface ToolState {
  readonly round: number;
  readonly calls: Readonly<Record<string, CallState>>;
  readonly approvalUntil?: Instant;
  /** No worker takes the reply until the approvals are decided. */
  readonly isAwaiting?: true;
}

export const toolCallNotFound = () =>
  refuse('missing', 'tool_call_not_found', 'This reply has no such tool call, or it is not yours to see.');
export const toolCallDecided = () =>
  refuse('conflict', 'tool_call_decided', 'This tool call was already decided the other way. Read the reply to see its state.');
const approvalNotNeeded = () => refuse('conflict', 'approval_not_needed', 'This tool call needs no approval.');
const approvalExpired = () => refuse('conflict', 'approval_expired', 'This approval has expired. The reply continues without the tool.');
const callNotApproved = () => refuse('conflict', 'tool_call_not_approved', 'This tool call was not approved with these arguments.');
const callBegun = () => refuse('conflict', 'tool_call_begun', 'This tool call has already begun. It is not repeated.');

const isPending = ({ approval }: CallState): boolean => approval === 'pending';
const pendingOf = (tools: ToolState | undefined) => Object.entries(tools?.calls ?? {}).filter(([, call]) => isPending(call));

/** Whether no worker may take the reply, because its user has to decide first. */
export const isAwaiting = ({ tools }: RunningReply, now: Instant): boolean =>
  tools?.isAwaiting === true && tools.approvalUntil !== undefined && now < tools.approvalUntil;

/** Denials for the calls whose approval has expired. */
export function expiredApprovals(replyId: string, { tools }: RunningReply, now: Instant): ConversationEvent[] {
  if (tools?.approvalUntil === undefined || now < tools.approvalUntil) return [];
  const pending = pendingOf(tools);
  return pending.map(([callId, { hash }], index) => ({
    type: 'ToolCallDecided',
    replyId,
    callId,
    isApproved: false,
    hash,
    userId: null,
    ...(tools.isAwaiting && index === pending.length - 1 && { resumes: true }),
  }));
}

export function decideTools(command: ToolCommand, state: Conversation): Decision<ConversationEvent> {
  const { replyId } = command;
  if (command.type === 'DecideToolCall') return decided(command, state);
  const reply = state.running[replyId];
  if (!reply) return replyIsOver();
  if (reply.claim !== command.claim) return claimLost();
  if (command.type === 'CallTools') return called(command, reply);
  if (command.type === 'AwaitApproval') {
    if (reply.isCancelled || pendingOf(reply.tools).length === 0) return [];
    const { approvalUntil: until } = reply.tools!;
    const late = expiredApprovals(replyId, reply, command.now);
    const { claim } = command;
    const { userId, botId } = reply;
    return late.length > 0 ? late : [{ type: 'ApprovalAwaited', replyId, claim, until: until!, userId, botId }];
  }
  const { callId, claim } = command;
  const call = reply.tools?.calls[callId];
  if (!call) return toolCallNotFound();
  if (command.type === 'AnswerToolCall') {
    const { result, outcome, charges = [], files = [] } = command;
    if (call.isAnswered) return [];
    const parties = partiesOf(reply);
    return [
      ...charges.map((charge) => ({ type: 'TokensCharged', ...charge, ...parties }) as const),
      { type: 'ToolAnswered', replyId, claim, callId, result, outcome, ...(files.length > 0 && { files, ...ownerOf(reply) }) },
    ];
  }
  if (call.isAnswered || call.isBegun) return callBegun();
  if (call.hash !== command.hash || (call.approval !== undefined && call.approval !== 'approved')) return callNotApproved();
  return [{ type: 'ToolCallBegun', replyId, claim, callId }];
}

function called(command: Extract<ToolCommand, { type: 'CallTools' }>, reply: RunningReply): Decision<ConversationEvent> {
  const { charge, failedCalls, budgets, type: _, ...made } = command;
  const round = reply.api ? withoutApprovals(made) : made;
  const { tools } = reply;
  const isOpen = Object.values(tools?.calls ?? {}).some(({ isAnswered }) => !isAnswered);
  // An earlier append of this worker succeeded after all. The worker continues from the rows.
  if (round.round !== (tools?.round ?? 0) + 1 || isOpen) return claimLost();
  const parties = partiesOf(reply);
  const { model, usage, costNanoDollars } = charge;
  return [
    ...failedCalls.map((each) => ({ type: 'TokensCharged', ...each, ...parties }) as const),
    { type: 'TokensCharged', ...charge, ...parties, ...(budgets && { nextBudgets: budgets }) },
    { type: 'ToolsCalled', ...round, model, usage, costNanoDollars, ...(budgets && { budgets }) },
  ];
}

/** Denies the calls that need an approval at once. */
function withoutApprovals<Round extends { readonly calls: readonly MadeCall[]; readonly approvalUntil?: Instant }>(round: Round) {
  const { approvalUntil: _, calls, ...rest } = round;
  return { ...rest, calls: calls.map((call) => (call.needsApproval ? { ...call, isDenied: true as const } : call)) };
}

const ownerOf = ({ userId, botId, api }: RunningReply) => ({ userId, botId, ...(api && { api }) });

const partiesOf = ({ userId, botId, budgets, api }: RunningReply) => ({ userId, botId, ...(budgets && { budgets }), ...(api && { api }) });

function decided(command: Extract<ToolCommand, { type: 'DecideToolCall' }>, state: Conversation): Decision<ConversationEvent> {
  const { replyId, callId, userId, isApproved, now } = command;
  if (!isOwnedBy(state, { userId }) || state.removedTo !== undefined) return conversationNotFound();
  const reply = state.running[replyId];
  const call = reply?.tools?.calls[callId];
  if (!reply || !call) return toolCallNotFound();
  if (call.approval === undefined) return approvalNotNeeded();
  if (!isPending(call)) return (call.approval === 'approved') === isApproved ? [] : toolCallDecided();
  const { approvalUntil, isAwaiting: awaits } = reply.tools!;
  if (approvalUntil !== undefined && now >= approvalUntil) return approvalExpired();
  const isLast = pendingOf(reply.tools).length === 1;
  const decision = { replyId, callId, isApproved, hash: call.hash, userId };
  return [{ type: 'ToolCallDecided', ...decision, ...(awaits && isLast && { resumes: true }) }];
}

export function evolveTools(state: Conversation, event: ToolEvent): Conversation {
  const reply = state.running[event.replyId];
  if (!reply) return state;
  return { ...state, running: { ...state.running, [event.replyId]: evolved(reply, event) } };
}

function evolved(reply: RunningReply, event: ToolEvent): RunningReply {
  const { tools } = reply;
  switch (event.type) {
    case 'ToolsCalled': {
      const { round, calls, approvalUntil, budgets } = event;
      const opened = calls.map(({ callId, hash, needsApproval, isDenied }) => [
        callId,
        { hash, ...(needsApproval && { approval: isDenied ? 'denied' : 'pending' }) } satisfies CallState,
      ]);
      const { budgets: before, ...rest } = reply;
      const reserved = budgets ?? before ?? [];
      return {
        ...rest,
        ...(reserved.length > 0 && { budgets: reserved }),
        tools: { round, calls: Object.fromEntries(opened), ...(approvalUntil !== undefined && { approvalUntil }) },
      };
    }
    case 'ToolCallBegun':
      return withCall(reply, event.callId, { isBegun: true });
    case 'ToolAnswered':
      return withCall(reply, event.callId, { isAnswered: true });
    case 'ToolCallDecided': {
      const after = withCall(reply, event.callId, { approval: event.isApproved ? 'approved' : 'denied' });
      return event.resumes ? resumed(after) : after;
    }
    case 'ApprovalAwaited':
      return { ...reply, claim: null, leaseUntil: null, ...(tools && { tools: { ...tools, isAwaiting: true } }) };
  }
}

/** The reply in a state in which a worker may take it again. */
export function resumed(reply: RunningReply): RunningReply {
  if (!reply.tools?.isAwaiting) return reply;
  const { isAwaiting: _, ...tools } = reply.tools;
  return { ...reply, tools };
}

function withCall(reply: RunningReply, callId: string, change: Partial<CallState>): RunningReply {
  const call = reply.tools?.calls[callId];
  if (!reply.tools || !call) return reply;
  return { ...reply, tools: { ...reply.tools, calls: { ...reply.tools.calls, [callId]: { ...call, ...change } } } };
}
