import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { conversation } from '../src/domain/conversation.ts';
import type { ConversationEvent, Usage } from '../src/domain/conversation-events.ts';

export const given = specify(conversation);
export const at = Instant.ofMillis;
const usage: Usage = { inputTokens: 3, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
export const parties = { userId: 'ann', botId: 'b' } as const;
export const started = { type: 'ConversationStarted', ...parties } as const;
export const submitted = {
  type: 'MessageSubmitted',
  ...parties,
  messageId: 'm1',
  replyId: 'r',
  parentId: null,
  content: 's1.x',
  model: 'local',
} as const;
export const of = { replyId: 'r', claim: 'c' } as const;
export const claimed = { type: 'ReplyClaimed', ...of, leaseUntil: at(10) } as const;
export const owed: ConversationEvent[] = [started, submitted, claimed];

export const charge = { chargeId: 'r-1', purpose: 'chat', model: 'local', usage, costNanoDollars: 7 } as const;
export const [free, needingApproval] = [
  { callId: 'free', name: 'calculator', input: 's1.f', hash: 'hf' },
  { callId: 'asked', name: 'mail', input: 's1.a', hash: 'ha', needsApproval: true },
] as const;
export const round = {
  ...of,
  round: 1,
  said: 's1.s',
  textAt: 4,
  reasoningAt: 0,
  calls: [free, needingApproval],
  approvalUntil: at(100),
} as const;
export const call = { type: 'CallTools', ...round, charge, failedCalls: [] } as const;
export const charged = { type: 'TokensCharged', ...charge, ...parties } as const;
export const called = { type: 'ToolsCalled', ...round, model: 'local', usage, costNanoDollars: 7 } as const;
export const decide = { type: 'DecideToolCall', replyId: 'r', callId: 'asked', userId: 'ann', isApproved: true, now: at(20) } as const;
export const decided = { type: 'ToolCallDecided', replyId: 'r', callId: 'asked', isApproved: true, hash: 'ha', userId: 'ann' } as const;
export const awaited = { type: 'ApprovalAwaited', ...of, until: at(100), userId: parties.userId, botId: parties.botId } as const;
export const answered = { type: 'ToolAnswered', ...of, callId: 'free', result: 's1.r', outcome: 'succeeded' } as const;
export const begun = { type: 'ToolCallBegun', ...of, callId: 'asked' } as const;
export const calling: ConversationEvent[] = [...owed, charged, called];
export const awaiting: ConversationEvent[] = [...calling, answered, awaited];
