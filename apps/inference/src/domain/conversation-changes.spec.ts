import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { conversation } from './conversation.ts';
import type { ConversationEvent, Usage } from './conversation-events.ts';

const given = specify(conversation);
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

describe('recording the cost of a call outside the reply', () => {
  const record = { type: 'RecordCharge', userId: 'ann', charge } as const;
  it('charges the user and the bot of the conversation', () =>
    given(...answered)
      .when(record)
      .emits({ type: 'TokensCharged', ...charge, ...parties }));
  it('works while the conversation is being erased, and then changes no row', () =>
    given(...answered, begun)
      .when(record)
      .emits({ type: 'TokensCharged', ...charge, ...parties, afterErasure: true }));
  it('is refused for another user', () =>
    given(...answered)
      .when({ ...record, userId: 'ben' })
      .refuses('conversation_not_found'));
});

describe('charging a reply whose conversation was erased while it was written', () => {
  const budgets = ['b/1'];
  const claimed = { type: 'ReplyClaimed', replyId: 'r1', claim: 'c', leaseUntil: Instant.ofMillis(1) } as const;
  const pending: ConversationEvent[] = [started, { ...submitted, budgets }, claimed];
  const command = { type: 'ChargeErasedReply', replyId: 'r1', claim: 'c', charges: [charge] } as const;
  const failure = { code: 'conversation_erased', reason: 'This conversation was erased.' };
  const ended = { type: 'ReplyFailed', replyId: 'r1', model: 'local', ...failure, ...parties, budgets } as const;
  it('records the charges, and the end, at which budgets release the rest', () =>
    given(...pending, begun)
      .when(command)
      .emits({ type: 'TokensCharged', ...charge, ...parties, budgets, afterErasure: true }, ended));
  it('is possible after the last step of the erasure', () =>
    given(...pending, begun, { type: 'ConversationErased', userId: 'ann' })
      .when({ ...command, charges: [] })
      .emits(ended));
  it('happens once', () =>
    given(...pending, begun, ended)
      .when(command)
      .refuses('reply_is_over'));
  it('is only for the worker that has the reply', () =>
    given(...pending, begun)
      .when({ ...command, claim: 'd' })
      .refuses('claim_lost'));
  it('is refused if nothing is erased', () =>
    given(...pending)
      .when(command)
      .refuses('reply_is_over'));
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
  it('is refused before the end of the reply', () => given(started, submitted).when(rate).refuses('reply_in_progress'));
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
      .emits({ ...deleting, botId: 'b', messages: 2 }));
  it('marks its events, so that the receipt of an erased user does not count them', () =>
    given(...answered, deleting)
      .when(erase)
      .emits(
        { type: 'MessagesRemoved', userId: 'ann', messageIds: ['m1', 'r1'], deleted: true },
        { type: 'ConversationErased', userId: 'ann', deleted: true },
      ));
  it('counts the files of the messages that a step removes', () =>
    given(...answered, begun)
      .when({ ...erase, files: { m1: 2, r1: 1, m9: 5 } })
      .emits(
        { type: 'MessagesRemoved', userId: 'ann', messageIds: ['m1', 'r1'], files: 3 },
        { type: 'ConversationErased', userId: 'ann' },
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
