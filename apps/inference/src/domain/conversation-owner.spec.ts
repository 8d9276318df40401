import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { conversation } from './conversation.ts';
import type { ConversationCommand } from './conversation-commands.ts';
import type { ConversationEvent } from './conversation-events.ts';
import { ownerKey, isOwnedBy } from './conversation-owner.ts';

const given = specify(conversation);
const noon = Instant.ofSeconds(1_800_000_000);
const usage = { inputTokens: 3, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const charge = { chargeId: 'c1', purpose: 'chat', model: 'local', usage, costNanoDollars: 7 } as const;

const api = { apiId: 'a1', keyId: 'k1' };
const parties = { userId: 'ann', botId: 'b' };
const sent = { messageId: 'm1', replyId: 'r1', content: 's1.x', model: 'local' };
const submit = { type: 'Submit', ...parties, ...sent, parent: null, claim: null } as const;
const submitted = { type: 'MessageSubmitted', ...parties, ...sent, parentId: null } as const;
const own = [{ type: 'ConversationStarted', ...parties }, submitted] as const satisfies ConversationEvent[];
const ofApi = [
  { type: 'ConversationStarted', ...parties, api },
  { ...submitted, api },
] as const satisfies ConversationEvent[];
const claimed = { type: 'ReplyClaimed', replyId: 'r1', claim: 'one', leaseUntil: noon } as const;
const completed = {
  type: 'ReplyCompleted',
  ...parties,
  replyId: 'r1',
  content: 's1.y',
  model: 'local',
  usage,
  costNanoDollars: 7,
} as const;
const reply = { id: 'r1', exists: true };
const next = { ...submit, messageId: 'm2', replyId: 'r2' } as const;
const again = {
  type: 'RequestReply',
  ...parties,
  replyId: 'r2',
  message: { id: 'm1', exists: true },
  continues: null,
  model: 'local',
  claim: null,
} as const;

describe('the owner of a conversation', () => {
  it('is a user, or one published API of a user', () => {
    expect(isOwnedBy({ userId: 'ann' }, { userId: 'ann' })).toBe(true);
    expect(isOwnedBy({ userId: 'ann' }, { userId: 'ann', apiId: 'a1' })).toBe(false);
    expect(isOwnedBy({ userId: 'ann', apiId: 'a1' }, { userId: 'ann', apiId: 'a2' })).toBe(false);
    expect(isOwnedBy({ userId: 'bob', apiId: 'a1' }, { userId: 'ann', apiId: 'a1' })).toBe(false);
  });
  it('has a distinct name in rows', () => {
    const names = [{ userId: 'ann' }, { userId: 'ann', apiId: 'a1' }, { userId: 'ann', apiId: 'a2' }, { userId: 'bob', apiId: 'a1' }].map(
      ownerKey,
    );
    expect(names[0]).toBe('ann');
    expect(new Set(names).size).toBe(4);
  });
});

describe('a conversation of a published API', () => {
  it('begins with the API and the key that called it', () =>
    given()
      .when({ ...submit, api })
      .emits(...ofApi));

  it('continues with any key of its API', () => {
    const other = { apiId: 'a1', keyId: 'k2' };
    return given(...ofApi, claimed, { ...completed, api })
      .when({ ...next, api: other })
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'r1', api: other });
  });

  it.each<[string, { apiId: string; keyId: string } | undefined, string]>([
    ['another API', { apiId: 'a2', keyId: 'k9' }, 'conversation_not_found'],
    ['its owner', undefined, 'conversation_id_taken'],
  ])('refuses a message of %s', (_, other, code) =>
    given(...ofApi, claimed, { ...completed, api })
      .when({ ...next, ...(other && { api: other }) })
      .refuses(code),
  );

  it('is not found by an API if it is a user’s own conversation', () =>
    given(...own, claimed, completed)
      .when({ ...next, api })
      .refuses('conversation_not_found'));

  it.each<ConversationCommand>([
    { type: 'CancelReply', replyId: 'r1', userId: 'ann' },
    { type: 'SetTitle', userId: 'ann', title: 's1.t' },
    { type: 'ProposeTitle', userId: 'ann', title: 's1.t', lastMessageId: 'r1', charge },
    { type: 'GiveFeedback', userId: 'ann', reply, thumbsUp: true, category: null, comment: null },
    { type: 'DecideToolCall', replyId: 'r1', callId: 'c', userId: 'ann', isApproved: true, now: noon },
    { type: 'Delete', userId: 'ann' },
    { type: 'Delete', userId: 'ann', apiId: 'a2' },
    again,
    { ...again, api: { apiId: 'a2', keyId: 'k1' } },
  ])('is not found by others: %j', (command) =>
    given(...ofApi)
      .when(command)
      .refuses('conversation_not_found'),
  );

  it('records the key with each charge', () => {
    const round = { replyId: 'r1', claim: 'one', round: 1, said: 's1.z', textAt: 0, reasoningAt: 0, calls: [] };
    const common = { ...parties, api };
    given(...ofApi, claimed)
      .when({ type: 'CallTools', ...round, charge, failedCalls: [] })
      .emits({ type: 'TokensCharged', ...charge, ...common }, { type: 'ToolsCalled', ...round, model: 'local', usage, costNanoDollars: 7 });
    given(...ofApi, claimed)
      .when({ type: 'FailReply', replyId: 'r1', claim: 'one', code: 'provider_failed', reason: 'It hung.', failedCalls: [charge] })
      .emits(
        { type: 'TokensCharged', ...charge, ...common },
        { type: 'ReplyFailed', replyId: 'r1', model: 'local', code: 'provider_failed', reason: 'It hung.', ...common },
      );
    given(...ofApi, claimed)
      .when({ type: 'CompleteReply', replyId: 'r1', claim: 'one', content: 's1.y', usage, costNanoDollars: 7, usedChunks: null })
      .emits({ ...completed, claim: 'one', api });
  });

  it('has no user who could approve a tool call, so the call is denied when it is made', () => {
    const call = { callId: 'c', name: 'send', input: 's1.i', hash: 'h', needsApproval: true } as const;
    const round = { replyId: 'r1', claim: 'one', round: 1, said: 's1.z', textAt: 0, reasoningAt: 0 };
    const called = {
      type: 'ToolsCalled',
      ...round,
      calls: [{ ...call, isDenied: true as const }],
      model: 'local',
      usage,
      costNanoDollars: 7,
    } as const;
    given(...ofApi, claimed)
      .when({ type: 'CallTools', ...round, calls: [call], approvalUntil: noon, charge, failedCalls: [] })
      .emits({ type: 'TokensCharged', ...charge, ...parties, api }, called);
    given(...ofApi, claimed, called)
      .when({ type: 'BeginToolCall', replyId: 'r1', claim: 'one', callId: 'c', hash: 'h' })
      .refuses('tool_call_not_approved');
    given(...ofApi, claimed, called)
      .when({ type: 'AwaitApproval', replyId: 'r1', claim: 'one', now: noon })
      .emits();
  });

  it('is deleted by its API, and erased with its owner', () => {
    const begun = { type: 'ConversationErasureBegun', userId: 'ann', botId: 'b', messages: 2, apiId: 'a1' } as const;
    given(...ofApi, claimed, { ...completed, api })
      .when({ type: 'Delete', userId: 'ann', apiId: 'a1' })
      .emits({ ...begun, deleted: true });
    given(...ofApi, claimed, { ...completed, api })
      .when({ type: 'Erase', userId: 'ann', messageIds: ['m1', 'r1'], isBegun: false })
      .emits(begun, { type: 'MessagesRemoved', userId: 'ann', messageIds: ['m1', 'r1'] }, { type: 'ConversationErased', userId: 'ann' });
  });
});
