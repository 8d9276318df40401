import { describe, it } from '@jest/globals';
import { claim, claimed, complete, given, later, next, started, submitted } from '../../test/conversation-events.ts';
import { MESSAGES_REMOVED_AT_ONCE } from './conversation-limits.ts';

describe('erasing a conversation', () => {
  const erase = { type: 'Erase', userId: 'ann', messageIds: ['m1', 'r1'], isBegun: false } as const;
  const begun = { type: 'ConversationErasureBegun', userId: 'ann' } as const;
  const removed = { type: 'MessagesRemoved', userId: 'ann', messageIds: ['m1', 'r1'] } as const;
  const erased = { type: 'ConversationErased', userId: 'ann' } as const;
  const second = { ...submitted, messageId: 's1', replyId: 't1' } as const;
  it('takes one step when all messages are named', () =>
    given(started, submitted, claimed)
      .when(erase)
      .emits({ ...begun, botId: 'b', messages: 2 }, removed, erased));
  it('only begins when the named messages may be incomplete', () =>
    given(started, submitted, claimed, second, { ...claimed, replyId: 't1' })
      .when(erase)
      .emits({ ...begun, botId: 'b', messages: 4 }));
  it('removes the named messages once it has begun', () =>
    given(started, submitted, second, begun)
      .when({ ...erase, isBegun: true })
      .emits(removed));
  it('removes no messages that were read before it began', () => given(started, submitted, second, begun).when(erase).emits());
  it('ends with the last message', () =>
    given(started, submitted, second, begun, removed)
      .when({ ...erase, isBegun: true, messageIds: ['s1', 't1'] })
      .emits({ ...removed, messageIds: ['s1', 't1'] }, erased));
  it('removes nothing twice', () =>
    given(started, submitted, second, begun, removed)
      .when({ ...erase, isBegun: true })
      .emits());
  it('removes a limited number at once', () => {
    const all = Array.from({ length: MESSAGES_REMOVED_AT_ONCE / 2 + 1 }, (_, n) => ({
      ...submitted,
      messageId: `m${n}`,
      replyId: `r${n}`,
    }));
    const messageIds = all.flatMap(({ messageId, replyId }) => [messageId, replyId]).toSorted();
    given(started, ...all, begun)
      .when({ ...erase, isBegun: true, messageIds })
      .emits({ ...removed, messageIds: messageIds.slice(0, MESSAGES_REMOVED_AT_ONCE) });
  });
  it('is idempotent', () => given(started, submitted, begun, removed, erased).when(erase).emits());
  it.each([[[begun]], [[begun, removed, erased]]])('reserves its ID from the beginning, for its user too', (steps) => {
    given(started, submitted, ...steps)
      .when(next)
      .refuses('conversation_id_taken');
  });
  it('leaves a reply that was being written without effect', () =>
    given(started, submitted, claimed, begun).when(complete).refuses('reply_is_over'));
  it('lets no worker take such a reply over', () =>
    given(started, submitted, claimed, begun)
      .when({ ...claim, now: later })
      .refuses('reply_is_over'));
  it("leaves another user's conversation alone", () =>
    given(started, submitted)
      .when({ ...erase, userId: 'ben' })
      .refuses('conversation_not_found'));
  it('refuses a conversation that never existed', () => given().when(erase).refuses('conversation_not_found'));
});
