import { describe, expect, it } from '@jest/globals';
import type { ConversationEvent } from './conversation.ts';
import { transcript } from './transcript.ts';

const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const parties = { userId: 'ann', botId: null, model: 'local' };
const asked = (n: number, parentId: string | null): ConversationEvent => ({
  type: 'MessageSubmitted',
  ...parties,
  messageId: `m${n}`,
  replyId: `r${n}`,
  parentId,
  content: `question ${n}`,
});
const answered = (n: number): ConversationEvent => ({
  type: 'ReplyCompleted',
  ...parties,
  replyId: `r${n}`,
  content: `answer ${n}`,
  usage,
  costNanoDollars: 0,
});
const failed = (n: number): ConversationEvent => ({ type: 'ReplyFailed', ...parties, replyId: `r${n}`, code: 'x', reason: 'y' });
const said = (history: ConversationEvent[], replyId: string) => transcript(history, replyId).map((turn) => turn.content);

describe('what a reply answers', () => {
  it('is the first question, at first', () => expect(said([asked(1, null)], 'r1')).toEqual(['question 1']));
  it('is all that went before it', () =>
    expect(said([asked(1, null), answered(1), asked(2, 'r1')], 'r2')).toEqual(['question 1', 'answer 1', 'question 2']));
  it('leaves out replies that failed', () =>
    expect(said([asked(1, null), failed(1), asked(2, 'r1')], 'r2')).toEqual(['question 1', 'question 2']));
  it('follows its own branch alone', () =>
    expect(said([asked(1, null), answered(1), asked(2, 'r1'), answered(2), asked(3, 'r1')], 'r3')).toEqual([
      'question 1',
      'answer 1',
      'question 3',
    ]));
  it('is nothing for a reply that was never owed', () => expect(said([asked(1, null)], 'zz')).toEqual([]));
});
