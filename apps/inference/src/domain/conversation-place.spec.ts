import { describe, expect, it } from '@jest/globals';
import { fold, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { conversation } from './conversation.ts';
import type { ConversationCommand } from './conversation-commands.ts';
import type { ConversationEvent } from './conversation-events.ts';

const given = specify(conversation);
const parties = { userId: 'ann', botId: null } as const;
const started: ConversationEvent = { type: 'ConversationStarted', ...parties };
const startedIn = (projectId: string): ConversationEvent => ({ type: 'ConversationStarted', ...parties, projectId });
const temporary: ConversationEvent = { type: 'ConversationStarted', ...parties, temporary: true };
const ofApi: ConversationEvent = { type: 'ConversationStarted', ...parties, api: { apiId: 'a', keyId: 'k' } };
const erased: ConversationEvent = { type: 'ConversationErasureBegun', userId: 'ann' };
const move = (projectId: string | null, userId = 'ann'): ConversationCommand => ({ type: 'Move', userId, projectId });
const pin = (isPinned: boolean, userId = 'ann'): ConversationCommand => ({ type: 'SetPinned', userId, isPinned });
const moved = (projectId: string | null): ConversationEvent => ({ type: 'ConversationMoved', userId: 'ann', projectId });
const pinned: ConversationEvent = { type: 'ConversationPinned', userId: 'ann' };
const unpinned: ConversationEvent = { type: 'ConversationUnpinned', userId: 'ann' };
const message = { messageId: 'm', replyId: 'r', content: 's1.x', model: 'local' } as const;
const submit = { type: 'Submit', ...parties, ...message, parent: null, claim: null } as const;
const submitted: ConversationEvent = { type: 'MessageSubmitted', ...parties, ...message, parentId: null };

describe('the project of a conversation', () => {
  it('changes: a conversation is in at most one', () => {
    given(started).when(move('p')).emits(moved('p'));
    given(started, moved('p')).when(move('q')).emits(moved('q'));
    given(started, moved('p')).when(move(null)).emits(moved(null));
  });
  it('stays the same when the request is repeated', () => {
    given(started, moved('p')).when(move('p')).emits();
    given(started, moved('p'), moved(null)).when(move(null)).emits();
  });
  it('is set by the first message', () => {
    given()
      .when({ ...submit, projectId: 'p' })
      .emits(startedIn('p'), submitted);
    given(startedIn('p')).when(move('p')).emits();
  });
  it('may be named by later messages, and no other', () => {
    given(startedIn('p'))
      .when({ ...submit, projectId: 'p' })
      .emits(submitted);
    for (const event of [startedIn('q'), started])
      given(event)
        .when({ ...submit, projectId: 'p' })
        .refuses('conversation_of_another_project');
  });
  it('does not exist for a temporary conversation', () => {
    given(temporary).when(move('p')).refuses('conversation_is_temporary');
    given(temporary).when(move(null)).emits();
    given()
      .when({ ...submit, projectId: 'p', temporary: true })
      .refuses('conversation_is_temporary');
  });
  it.each([
    ['another user', started, move('p', 'ben')],
    ['the user of an API', ofApi, move('p')],
  ])('is not changed by %s', (_, event, command) => given(event).when(command).refuses('conversation_not_found'));
  it('does not change once the conversation is being erased, or before it exists', () => {
    given(started, erased).when(move('p')).refuses('conversation_not_found');
    given().when(move('p')).refuses('conversation_not_found');
  });
});

describe('the pin of a conversation', () => {
  it('is set and removed', () => {
    given(started).when(pin(true)).emits(pinned);
    given(started, pinned).when(pin(false)).emits(unpinned);
  });
  it('stays the same when the request is repeated', () => {
    given(started, pinned).when(pin(true)).emits();
    given(started, pinned, unpinned).when(pin(false)).emits();
    given(started).when(pin(false)).emits();
  });
  it('does not exist for a temporary conversation', () => given(temporary).when(pin(true)).refuses('conversation_is_temporary'));
  it('is only for its user, and not for a conversation that is being erased', () => {
    given(started).when(pin(true, 'ben')).refuses('conversation_not_found');
    given(ofApi).when(pin(true)).refuses('conversation_not_found');
    given(started, erased).when(pin(true)).refuses('conversation_not_found');
  });
});

describe('any sequence of moves and pins', () => {
  const command = fc.oneof(
    fc.constantFrom('p', 'q', null).map((projectId) => move(projectId)),
    fc.boolean().map((isPinned) => pin(isPinned)),
  );
  it('ends where the last ones say, and records only changes', () => {
    fc.assert(
      fc.property(fc.array(command), (commands) => {
        let state = fold(conversation, [started]);
        let [project, isPinned] = [null as string | null, false];
        for (const each of commands) {
          const decided = conversation.decide(each, state);
          if (decided instanceof Refusal) throw decided;
          const before = [project, isPinned];
          if (each.type === 'Move') project = each.projectId;
          if (each.type === 'SetPinned') isPinned = each.isPinned;
          state = fold(conversation, decided, state);
          expect([state.projectId ?? null, state.isPinned ?? false]).toEqual([project, isPinned]);
          expect(decided.length).toBe(before[0] === project && before[1] === isPinned ? 0 : 1);
        }
      }),
    );
  });
});
