import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { conversation } from '../src/domain/conversation.ts';
import type { Usage } from '../src/domain/conversation-events.ts';

export const given = specify(conversation);
export const noon = Instant.ofSeconds(1_800_000_000);
export const later = Instant.plus(noon, 30_000);
export const usage: Usage = { inputTokens: 3, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

export const submit = {
  type: 'Submit',
  userId: 'ann',
  botId: 'b',
  messageId: 'm1',
  replyId: 'r1',
  parent: null,
  content: 's1.x',
  model: 'local',
  claim: null,
} as const;
export const started = { type: 'ConversationStarted', userId: 'ann', botId: 'b' } as const;
export const submitted = {
  type: 'MessageSubmitted',
  userId: 'ann',
  botId: 'b',
  messageId: 'm1',
  replyId: 'r1',
  parentId: null,
  content: 's1.x',
  model: 'local',
} as const;
export const claim = { type: 'ClaimReply', replyId: 'r1', claim: 'one', now: noon, leaseUntil: later } as const;
export const claimed = { type: 'ReplyClaimed', replyId: 'r1', claim: 'one', leaseUntil: later } as const;
export const complete = {
  type: 'CompleteReply',
  replyId: 'r1',
  claim: 'one',
  content: 's1.y',
  usage,
  costNanoDollars: 7,
  usedChunks: null,
} as const;
export const completed = {
  type: 'ReplyCompleted',
  userId: 'ann',
  botId: 'b',
  replyId: 'r1',
  content: 's1.y',
  model: 'local',
  usage,
  costNanoDollars: 7,
  claim: 'one',
} as const;
export const failed = {
  type: 'ReplyFailed',
  userId: 'ann',
  botId: 'b',
  replyId: 'r1',
  model: 'local',
  code: 'provider_failed',
  reason: 'it hung',
} as const;
export const next = { ...submit, messageId: 'm2', replyId: 'r2' } as const;
