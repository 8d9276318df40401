import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { conversation } from './conversation.ts';
import type { ConversationEvent, Usage } from './conversation-events.ts';
import { MAX_RUNNING_REPLIES } from './conversation-limits.ts';

const given = specify(conversation);
const until = Instant.ofSeconds(1_800_000_000);
const usage: Usage = { inputTokens: 3, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

const parties = { userId: 'ann', botId: 'b' } as const;
const started = { type: 'ConversationStarted', ...parties } as const;
const submitted = {
  type: 'MessageSubmitted',
  ...parties,
  messageId: 'm1',
  replyId: 'r1',
  parentId: null,
  content: 's1.x',
  model: 'local',
} as const;
const completed = {
  type: 'ReplyCompleted',
  ...parties,
  replyId: 'r1',
  content: 's1.y',
  model: 'local',
  usage,
  costNanoDollars: 7,
} as const;
const answered: ConversationEvent[] = [started, submitted, completed];
const begun = { type: 'ConversationErasureBegun', userId: 'ann' } as const;
const charge = { chargeId: 'c1', purpose: 'title', model: 'small', usage, costNanoDollars: 2 } as const;

describe('asking for another reply', () => {
  const request = {
    type: 'RequestReply',
    ...parties,
    replyId: 'r2',
    message: { id: 'm1', exists: true },
    continues: null,
    model: 'other',
    claim: null,
  } as const;
  const requested = { type: 'ReplyRequested', ...parties, messageId: 'm1', replyId: 'r2', model: 'other' } as const;
  const claim = { claim: 'one', leaseUntil: until };

  it('gives a message a second reply', () =>
    given(...answered)
      .when(request)
      .emits(requested));
  it('is possible while the first reply is being written', () => given(started, submitted).when(request).emits(requested));
  it('claims the reply in the same append for the process that accepts it', () =>
    given(...answered)
      .when({ ...request, claim })
      .emits(requested, { type: 'ReplyClaimed', replyId: 'r2', ...claim }));
  it('records the reply that is continued, and the wish for reasoning', () =>
    given(...answered)
      .when({ ...request, continues: 'r1', reasoning: true })
      .emits({ ...requested, continues: 'r1', reasoning: true }));
  it('does nothing the second time', () =>
    given(...answered, requested)
      .when(request)
      .emits());
  it('does nothing the second time, when the reply is over', () =>
    given(...answered, requested, { ...completed, replyId: 'r2' })
      .when(request)
      .emits());
  it('is refused for a message that the conversation does not have', () =>
    given(...answered)
      .when({ ...request, message: { id: 'zz', exists: false } })
      .refuses('parent_message_unknown'));
  it('is refused for the continuation of a reply that is being written', () =>
    given(started, submitted)
      .when({ ...request, continues: 'r1' })
      .refuses('reply_in_progress'));
  it('is refused past the number of replies that are written at once', () => {
    const others = Array.from({ length: MAX_RUNNING_REPLIES }, (_, n) => ({ ...requested, replyId: `x${n}` }));
    given(...answered, ...others)
      .when(request)
      .refuses('reply_in_progress');
  });
  it('is refused with another bot', () =>
    given(...answered)
      .when({ ...request, botId: null })
      .refuses('conversation_of_another_bot'));
  it.each([
    ['another user', answered, 'ben'],
    ['a conversation that is being erased', [...answered, begun], 'ann'],
  ] as const)('is refused for %s', (_, history, userId) =>
    given(...history)
      .when({ ...request, userId })
      .refuses('conversation_not_found'),
  );
  it('ends as any other reply', () =>
    given(...answered, requested, { type: 'ReplyClaimed', replyId: 'r2', ...claim })
      .when({ type: 'CompleteReply', replyId: 'r2', claim: 'one', content: 's1.z', usage, costNanoDollars: 1, usedChunks: null })
      .emits({ ...completed, replyId: 'r2', model: 'other', content: 's1.z', costNanoDollars: 1 }));
});

describe('recording what a call beside the reply cost', () => {
  const record = { type: 'RecordCharge', userId: 'ann', charge } as const;
  it('charges the user and the bot of the conversation', () =>
    given(...answered)
      .when(record)
      .emits({ type: 'TokensCharged', ...charge, ...parties }));
  it('is refused for a conversation that is being erased', () =>
    given(...answered, begun)
      .when(record)
      .refuses('conversation_not_found'));
  it('is refused for another user', () =>
    given(...answered)
      .when({ ...record, userId: 'ben' })
      .refuses('conversation_not_found'));
});

describe('the title of a conversation', () => {
  const set = { type: 'SetTitle', userId: 'ann', title: 's1.t' } as const;
  const propose = { type: 'ProposeTitle', userId: 'ann', title: 's1.p', lastMessageId: 'r1', charge } as const;
  it('by rule comes with the first message, and with no later one', () => {
    const submit = {
      type: 'Submit',
      ...parties,
      messageId: 'm2',
      replyId: 'r2',
      parent: null,
      content: 's1.x',
      model: 'local',
      claim: null,
    } as const;
    const second = { ...submitted, messageId: 'm2', replyId: 'r2' };
    given()
      .when({ ...submit, title: 's1.t' })
      .emits({ ...started, title: 's1.t' }, second);
    given(...answered)
      .when({ ...submit, title: 's1.t' })
      .emits({ ...second, parentId: 'r1' });
  });
  it('is set by its user', () =>
    given(...answered)
      .when(set)
      .emits({ type: 'ConversationTitled', title: 's1.t', by: 'user' }));
  it('is proposed by a model, and charged in the same append', () =>
    given(...answered)
      .when(propose)
      .emits(
        { type: 'TokensCharged', ...charge, ...parties },
        { type: 'ConversationTitled', title: 's1.p', by: 'model', lastMessageId: 'r1' },
      ));
  it.each([set, propose])('cannot be set in a conversation that is being erased: $type', (command) =>
    given(...answered, begun)
      .when(command)
      .refuses('conversation_not_found'),
  );
  it.each([set, propose])('cannot be set by another user: $type', (command) =>
    given(...answered)
      .when({ ...command, userId: 'ben' })
      .refuses('conversation_not_found'),
  );
});

describe('feedback to a reply', () => {
  const rate = {
    type: 'GiveFeedback',
    userId: 'ann',
    reply: { id: 'r1', exists: true },
    thumbsUp: false,
    category: 'wrong',
    comment: 's1.c',
  } as const;
  const given1 = { type: 'FeedbackGiven', ...parties, replyId: 'r1', thumbsUp: false, category: 'wrong', comment: 's1.c' } as const;
  it('is recorded with the bot of the conversation', () =>
    given(...answered)
      .when(rate)
      .emits(given1));
  it('may be positive without a category', () =>
    given(...answered)
      .when({ ...rate, thumbsUp: true, category: null, comment: null })
      .emits({ ...given1, thumbsUp: true, category: null, comment: null }));
  it('needs a category when it is negative', () =>
    given(...answered)
      .when({ ...rate, category: null })
      .refuses('category_required'));
  it('has to wait for the end of the reply', () => given(started, submitted).when(rate).refuses('reply_in_progress'));
  it('is refused for a reply that the conversation does not have', () =>
    given(...answered)
      .when({ ...rate, reply: { id: 'zz', exists: false } })
      .refuses('message_not_found'));
  it('is refused for another user', () =>
    given(...answered)
      .when({ ...rate, userId: 'ben' })
      .refuses('conversation_not_found'));
  it('is refused for a conversation that is being erased', () =>
    given(...answered, begun)
      .when(rate)
      .refuses('conversation_not_found'));
});

describe('deleting a conversation', () => {
  const drop = { type: 'Delete', userId: 'ann' } as const;
  const deleting = { ...begun, deleted: true } as const;
  const erase = { type: 'Erase', userId: 'ann', messageIds: ['m1', 'r1'], isBegun: true } as const;
  it('begins its erasure, and removes nothing yet', () =>
    given(...answered)
      .when(drop)
      .emits(deleting));
  it('marks all that it removes, so that the receipt of an erased user does not count it', () =>
    given(...answered, deleting)
      .when(erase)
      .emits(
        { type: 'MessagesRemoved', userId: 'ann', messageIds: ['m1', 'r1'], deleted: true },
        { type: 'ConversationErased', userId: 'ann', deleted: true },
      ));
  it('does nothing when the erasure has begun', () =>
    given(...answered, deleting)
      .when(drop)
      .emits());
  it('leaves an erasure of its user as it is', () =>
    given(...answered, begun)
      .when(erase)
      .emits({ type: 'MessagesRemoved', userId: 'ann', messageIds: ['m1', 'r1'] }, { type: 'ConversationErased', userId: 'ann' }));
  it.each([
    ['another user', answered, 'ben'],
    ['an unknown conversation', [], 'ann'],
    ['one that is gone', [...answered, deleting, { type: 'ConversationErased', userId: 'ann', deleted: true }], 'ann'],
  ] as const)('is refused for %s', (_, history, userId) =>
    given(...history)
      .when({ ...drop, userId })
      .refuses('conversation_not_found'),
  );
});
