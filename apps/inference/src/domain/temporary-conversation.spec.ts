import { describe, expect, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { conversation } from './conversation.ts';
import type { ConversationCommand } from './conversation-commands.ts';
import type { ConversationEvent } from './conversation-events.ts';

const given = specify(conversation);
const parties = { userId: 'ann', botId: null } as const;
const submit = (index: number) =>
  ({
    type: 'Submit',
    ...parties,
    messageId: `m${index}`,
    replyId: `r${index}`,
    parent: null,
    content: 's1.x',
    model: 'local',
    claim: null,
  }) as const;
const started = { type: 'ConversationStarted', ...parties, temporary: true } as const;
const submitted = (index: number, parentId: string | null) => {
  const message = { messageId: `m${index}`, replyId: `r${index}`, parentId, content: 's1.x', model: 'local' } as const;
  return { type: 'MessageSubmitted', ...parties, ...message, temporary: true } as const;
};
const failed = { type: 'ReplyFailed', ...parties, replyId: 'r1', model: 'local', code: 'model_failed', reason: 'It failed.' } as const;
const temporary: ConversationEvent[] = [started, submitted(1, null), failed];
const { temporary: _, ...listed } = started;
const { temporary: __, ...first } = submitted(1, null);
const begun = { type: 'ConversationErasureBegun', userId: 'ann', deleted: true, expired: true, botId: null, messages: 2 } as const;

describe('a temporary conversation', () => {
  it('begins with its first message', () =>
    given()
      .when({ ...submit(1), temporary: true })
      .emits(started, submitted(1, null)));
  it('marks later messages automatically', () =>
    given(...temporary)
      .when(submit(2))
      .emits(submitted(2, 'r1')));
  it('marks further replies', () =>
    given(...temporary)
      .when({
        type: 'RequestReply',
        ...parties,
        replyId: 'r2',
        message: { id: 'm1', exists: true },
        continues: null,
        model: 'local',
        claim: null,
      })
      .emits({ type: 'ReplyRequested', ...parties, messageId: 'm1', replyId: 'r2', model: 'local', temporary: true }));
  it('cannot be created from a listed one', () =>
    given(listed, first, failed)
      .when({ ...submit(2), temporary: true })
      .refuses('conversation_not_temporary'));
  it('cannot be created from a listed one by another reply', () =>
    given(listed, first, failed)
      .when({
        type: 'RequestReply',
        ...parties,
        replyId: 'r2',
        message: { id: 'm1', exists: true },
        continues: null,
        model: 'local',
        claim: null,
        temporary: true,
      })
      .refuses('conversation_not_temporary'));
  it('accepts a repeat of its first message', () =>
    given(...temporary)
      .when({ ...submit(1), temporary: true })
      .emits());
});

describe('the end of the time of a conversation', () => {
  const expire = { type: 'Expire', lastMessageId: 'r1' } as const;
  it('deletes a temporary one', () =>
    given(...temporary)
      .when(expire)
      .emits(begun));
  it('keeps a conversation with a later message', () =>
    given(...temporary, submitted(2, 'r1'))
      .when(expire)
      .emits());
  it('does nothing if the deletion has begun', () =>
    given(...temporary, begun)
      .when(expire)
      .emits());
  it('is refused for a listed conversation', () => given(listed, first, failed).when(expire).refuses('conversation_not_found'));
  it('is refused for a conversation that no longer exists', () =>
    given(...temporary, begun, { type: 'ConversationErased', userId: 'ann', deleted: true })
      .when(expire)
      .refuses('conversation_not_found'));

  it('deletes only temporary conversations, and only after their last message', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.tuple(fc.boolean(), fc.nat(5)), { maxLength: 12 }), (isTemporary, steps) => {
        let state = conversation.initialState;
        let last = 'r0';
        const run = (command: ConversationCommand): readonly ConversationEvent[] => {
          const decision = conversation.decide(command, state);
          if (!Array.isArray(decision)) return [];
          for (const event of decision as ConversationEvent[]) state = conversation.evolve(state, event);
          return decision as ConversationEvent[];
        };
        run({ ...submit(0), ...(isTemporary && { temporary: true }) });
        run({ type: 'FailReply', replyId: 'r0', claim: 'c', code: 'x', reason: 'x' });
        for (const [index, [expires, id]] of steps.entries()) {
          if (!expires) {
            // Each message follows the first one, so that no running reply refuses it.
            const sent = run({ ...submit(index + 1), parent: { id: 'm0', exists: true } });
            if (sent.some(({ type }) => type === 'MessageSubmitted')) last = `r${index + 1}`;
            continue;
          }
          const isOpen = state.removedTo === undefined;
          const begins = run({ type: 'Expire', lastMessageId: `r${id}` }).some(({ type }) => type === 'ConversationErasureBegun');
          expect(begins).toBe(isTemporary && isOpen && `r${id}` === last);
        }
      }),
    );
  });
});
