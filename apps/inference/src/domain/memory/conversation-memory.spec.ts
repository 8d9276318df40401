import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { conversation } from '../conversation.ts';
import type { ConversationCommand } from '../conversation-commands.ts';
import type { ConversationEvent } from '../conversation-events.ts';

const given = specify(conversation);
const parties = { userId: 'ann', botId: null } as const;
const started: ConversationEvent = { type: 'ConversationStarted', ...parties };
const ofApi: ConversationEvent = { type: 'ConversationStarted', ...parties, api: { apiId: 'a', keyId: 'k' } };
const erased: ConversationEvent = { type: 'ConversationErasureBegun', userId: 'ann' };
const off: ConversationEvent = { type: 'ConversationMemoryTurnedOff', userId: 'ann' };
const on: ConversationEvent = { type: 'ConversationMemoryTurnedOn', userId: 'ann' };
const turn = (isOn: boolean, userId = 'ann'): ConversationCommand => ({ type: 'SetMemory', userId, isOn });
const message = { messageId: 'm', replyId: 'r', content: 's1.x', model: 'local' } as const;
const submit = { type: 'Submit', ...parties, ...message, parent: null, claim: null } as const;
const submitted: ConversationEvent = { type: 'MessageSubmitted', ...parties, ...message, parentId: null };
const request = {
  type: 'RequestReply',
  ...parties,
  replyId: 's',
  message: { id: 'm', exists: true },
  continues: null,
  model: 'local',
} as const;
const requested: ConversationEvent = { type: 'ReplyRequested', ...parties, messageId: 'm', replyId: 's', model: 'local' };

describe('the memory in a conversation', () => {
  it('is turned off and on by its user', () => {
    given(started).when(turn(false)).emits(off);
    given(started, off).when(turn(true)).emits(on);
  });
  it('stays the same when the request is repeated', () => {
    given(started).when(turn(true)).emits();
    given(started, off).when(turn(false)).emits();
    given(started, off, on).when(turn(true)).emits();
  });
  it('is turned off by the first message', () =>
    given()
      .when({ ...submit, memory: false })
      .emits(started, off, submitted));
  it('is turned off and on by a later message and by a request for another reply', () => {
    given(started)
      .when({ ...submit, memory: false })
      .emits(off, submitted);
    given(started, off)
      .when({ ...submit, memory: true })
      .emits(on, submitted);
    given(started, submitted)
      .when({ ...request, claim: null, memory: false })
      .emits(off, requested);
  });
  it('stays off for messages that do not mention it', () => {
    given(started, off).when(submit).emits(submitted);
    expect(fold(conversation, [started, off, submitted]).isWithoutMemory).toBe(true);
  });
  it('is not changed by others, in an erased conversation, or in one of a published API', () => {
    given(started).when(turn(false, 'eve')).refuses('conversation_not_found');
    given(started, erased).when(turn(false)).refuses('conversation_not_found');
    given(ofApi).when(turn(false)).refuses('conversation_not_found');
    given().when(turn(false)).refuses('conversation_not_found');
  });
});
