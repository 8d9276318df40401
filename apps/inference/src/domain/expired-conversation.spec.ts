import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { conversation } from './conversation.ts';
import type { ConversationEvent } from './conversation-events.ts';

const given = specify(conversation);
const parties = { userId: 'ann', botId: 'b' } as const;
const submitted = (index: number): ConversationEvent => {
  const message = { messageId: `m${index}`, replyId: `r${index}`, parentId: null, content: 's1.x', model: 'local' };
  return { type: 'MessageSubmitted', ...parties, ...message };
};
const failed = (index: number): ConversationEvent => {
  return { type: 'ReplyFailed', ...parties, replyId: `r${index}`, model: 'local', code: 'model_failed', reason: 'It failed.' };
};
const old: ConversationEvent[] = [{ type: 'ConversationStarted', ...parties }, submitted(1), failed(1)];
const begun: ConversationEvent = {
  type: 'ConversationErasureBegun',
  userId: 'ann',
  deleted: true,
  because: 'retention',
  ruleId: 'rule',
  botId: 'b',
  messages: 2,
};
const expire = { type: 'Expire', lastMessageId: 'r1', ruleId: 'rule' } as const;

describe('a conversation to which a retention rule applies', () => {
  it('is deleted for the reason of the rule', () =>
    given(...old)
      .when(expire)
      .emits(begun));
  it('is kept if a message arrived at the same time', () =>
    given(...old, submitted(2), failed(2))
      .when(expire)
      .emits());
  it('is deleted once', () =>
    given(...old, begun)
      .when(expire)
      .emits());
  it('is not found when it no longer exists', () =>
    given(...old, begun, { type: 'ConversationErased', userId: 'ann' })
      .when(expire)
      .refuses('conversation_not_found'));
  it('is not found before it begins', () => given().when(expire).refuses('conversation_not_found'));
  it('is not deleted without a rule unless it is temporary', () =>
    given(...old)
      .when({ type: 'Expire', lastMessageId: 'r1' })
      .refuses('conversation_not_found'));
});
