import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { LOGGER } from '@parlance/foundation';
import { ModelCalls } from '@parlance/observability';
import type { Logger } from 'pino';
import type { OfferedTools } from '../../adapters/tools/toolbox.ts';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import type { LiveReply } from '../live-replies.ts';
import { MAX_PAID_CALLS } from '../../domain/conversation-limits.ts';
import { hashOf, noSuchTool } from './made-calls.ts';
import type { OpenedCall } from './opened-rounds.ts';
import { type ToolAnswer, calledTool, observedTool } from './tool-call.ts';
import type { ToolWork } from './tool-work.ts';

const NOT_APPROVED = 'The user did not approve this call. Continue without it, and do not request it again.';
const NO_USER =
  'This call needs the approval of a user, but the request came from a program. The tool was not called. Continue without it, and do not request it again.';
const NOT_APPROVED_IN_TIME = 'The user did not approve this call in time. Continue without it.';
const UNKNOWN = 'The call was started and then interrupted. It is unknown whether it took effect. It was not repeated.';
const APPROVAL_NEEDED_NOW =
  'This call now needs the approval of the user, so the tool was not called. Call it again to request the approval.';
const TOO_MANY_PAID = `A reply can have ${MAX_PAID_CALLS} calls that cost something. This one was not made. Do not try it again.`;
const OTHER_ARGUMENTS = 'The tool or its arguments differ from what the user approved. The tool was not called.';

/** Calls tools for a reply. If a tool is not called, the result explains why. */
@Injectable()
export class ToolResults {
  constructor(
    private readonly commands: CommandBus,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly observed: ModelCalls,
  ) {}

  /** Rejects with the signal's reason, or with an error that may not occur on a retry. */
  async of(work: ToolWork, call: OpenedCall, tools: OfferedTools): Promise<ToolAnswer> {
    const { live, question } = work;
    const { callId, name, input, fault, approval } = call;
    const { conversationId, replyId } = live.reply;
    if (approval === 'denied') return { text: question.apiId === undefined ? NOT_APPROVED : NO_USER, outcome: 'denied' };
    if (approval === 'expired') return { text: NOT_APPROVED_IN_TIME, outcome: 'denied' };
    if (fault !== null) return { text: fault, outcome: 'failed' };
    if (call.isBegun) return { text: UNKNOWN, outcome: 'failed' };
    const offered = tools.get(name);
    if (!offered) return { text: noSuchTool(name), outcome: 'failed' };
    const { tool, needsApproval } = offered;
    if (tool.isPaid && paidBefore(work, call, tools) >= MAX_PAID_CALLS) return { text: TOO_MANY_PAID, outcome: 'failed' };
    // Another worker may have recorded the call before the rights of the bot or the tool changed.
    if (needsApproval && approval !== 'approved') return { text: APPROVAL_NEEDED_NOW, outcome: 'failed' };
    if (tool.writes || tool.isPaid || approval) {
      const whyNot = await this.begin(live, callId, hashOf(call, tool));
      if (whyNot !== null) return { text: whyNot, outcome: 'failed' };
    }
    const { userId, botId, apiId } = question;
    const context = { userId, botId, ...(apiId !== undefined && { apiId }), conversationId, callId };
    return observedTool(this.observed, name, () =>
      calledTool(tool, input, context, live.signal, (error) =>
        this.log.warn({ err: error, replyId, tool: name }, 'a tool failed; the model receives the failure as its result'),
      ),
    );
  }

  /** Records that a call begins, so that it is not repeated. Resolves with null, or with the reason why it may not begin. */
  private async begin({ reply }: LiveReply, callId: string, hash: string): Promise<string | null> {
    const { conversationId, replyId, claim } = reply;
    try {
      await this.commands.execute(new ExecuteConversation(conversationId, { type: 'BeginToolCall', replyId, claim, callId, hash }));
      return null;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'tool_call_begun') return UNKNOWN;
      if (error instanceof Refusal && error.code === 'tool_call_not_approved') return OTHER_ARGUMENTS;
      throw error;
    }
  }
}

/** How many earlier calls of the reply are of tools that cost something, made or not. */
function paidBefore({ rounds }: ToolWork, { callId }: OpenedCall, tools: OfferedTools): number {
  const paid = rounds.flatMap(({ calls }) => calls).filter(({ name }) => tools.get(name)?.tool.isPaid);
  return paid.findIndex((call) => call.callId === callId);
}
