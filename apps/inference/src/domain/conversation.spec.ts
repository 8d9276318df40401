import { describe, it } from '@jest/globals';
import { claimed, completed, failed, given, later, next, started, submit, submitted } from '../../test/conversation-events.ts';
import { MAX_RUNNING_REPLIES } from './conversation-limits.ts';

describe('submitting a message', () => {
  it('names the files that it has', () => {
    const files = [{ id: 'm1.0', kind: 'image', mediaType: 'image/png', bytes: 9, sealed: 's1.f' }] as const;
    given()
      .when({ ...submit, files })
      .emits(started, { ...submitted, files });
  });
  it('starts a conversation with the first', () => given().when(submit).emits(started, submitted));
  it('claims its reply in the same append for the process that accepts it', () =>
    given()
      .when({ ...submit, claim: { claim: 'one', leaseUntil: later } })
      .emits(started, submitted, claimed));
  it('answers the last reply by default', () =>
    given(started, submitted, claimed, completed)
      .when(next)
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'r1' }));
  it('may branch off an earlier message', () =>
    given(started, submitted, claimed, completed)
      .when({ ...next, parent: { id: 'm1', exists: true } })
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'm1' }));
  it('is idempotent, even while the reply is being written', () => given(started, submitted, claimed).when(submit).emits());
  it('refuses while the reply before it is being written', () =>
    given(started, submitted, claimed).when(next).refuses('reply_in_progress'));
  it('continues after a reply that failed', () =>
    given(started, submitted, claimed, failed)
      .when(next)
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'r1' }));
  it('is idempotent, when the reply is over', () => given(started, submitted, claimed, completed).when(submit).emits());
  it('refuses an unknown parent', () =>
    given(started, submitted)
      .when({ ...next, parent: { id: 'zz', exists: false } })
      .refuses('parent_message_unknown'));
  it('accepts the newest reply as a parent, even if the rows do not have it yet', () =>
    given(started, submitted, claimed, completed)
      .when({ ...next, parent: { id: 'r1', exists: false } })
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'r1' }));
  it('refuses further branches if too many wait for a reply', () => {
    const branches = Array.from({ length: MAX_RUNNING_REPLIES }, (_, n) => ({ ...submitted, messageId: `m${n}`, replyId: `r${n}` }));
    given(started, ...branches)
      .when({ ...next, replyId: 'new', parent: { id: 'm1', exists: true } })
      .refuses('reply_in_progress');
  });
  it('refuses a conversation id of another user', () =>
    given(started, submitted)
      .when({ ...next, userId: 'ben' })
      .refuses('conversation_id_taken'));
  it('refuses another bot in the same conversation', () =>
    given(started, submitted)
      .when({ ...next, botId: null })
      .refuses('conversation_of_another_bot'));
});

describe('asking for another reply', () => {
  const ask = {
    type: 'RequestReply',
    userId: 'ann',
    botId: 'b',
    replyId: 'r2',
    message: { id: 'm1', exists: true },
    continues: null,
    model: 'local',
    claim: null,
  } as const;
  const requested = { type: 'ReplyRequested', userId: 'ann', botId: 'b', messageId: 'm1', replyId: 'r2', model: 'local' } as const;
  const done = [started, submitted, claimed, completed] as const;
  it('makes it pending, like the first reply', () =>
    given(...done)
      .when(ask)
      .emits(requested));
  it('claims the reply in the same append for the process that accepts it', () =>
    given(...done)
      .when({ ...ask, claim: { claim: 'two', leaseUntil: later } })
      .emits(requested, { ...claimed, replyId: 'r2', claim: 'two' }));
  it('names the reply that it continues', () =>
    given(...done)
      .when({ ...ask, continues: 'r1', reasoning: true })
      .emits({ ...requested, continues: 'r1', reasoning: true }));
  it('makes the reply the last message', () =>
    given(...done, requested, { ...completed, replyId: 'r2' })
      .when({ ...next, messageId: 'm3', replyId: 'r3' })
      .emits({ ...submitted, messageId: 'm3', replyId: 'r3', parentId: 'r2' }));
  it('is allowed while an earlier reply is being written', () => given(started, submitted, claimed).when(ask).emits(requested));
  it('is idempotent', () =>
    given(...done, requested)
      .when(ask)
      .emits());
  it('refuses to continue a reply that is being written', () =>
    given(started, submitted, claimed)
      .when({ ...ask, continues: 'r1' })
      .refuses('reply_in_progress'));
  it('refuses a message that the conversation does not have', () =>
    given(...done)
      .when({ ...ask, message: { id: 'zz', exists: false } })
      .refuses('parent_message_unknown'));
  it("refuses another user's conversation, and one that is being erased", () => {
    given(...done)
      .when({ ...ask, userId: 'ben' })
      .refuses('conversation_not_found');
    given(...done, { type: 'ConversationErasureBegun', userId: 'ann' })
      .when(ask)
      .refuses('conversation_not_found');
  });
  it('is refused if too many replies are being written', () => {
    const branches = Array.from({ length: MAX_RUNNING_REPLIES }, (_, n) => ({ ...requested, replyId: `x${n}` }));
    given(...done, ...branches)
      .when(ask)
      .refuses('reply_in_progress');
  });
});
