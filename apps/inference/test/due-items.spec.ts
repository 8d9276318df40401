import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { Service } from '@parlance/foundation';
import { serviceUnderTest } from '@parlance/foundation/harness';
import { ExecuteConversation, ExecuteShares } from '../src/commands/aggregates.ts';
import { DeleteTemporaryConversationsWhenTheirTimeIsOver } from '../src/policies/delete-temporary-conversations-when-their-time-is-over.ts';
import { EndSharesWhenTheyExpire } from '../src/policies/end-shares-when-they-expire.ts';
import { FinishDeletionWhenItBrokeOff } from '../src/policies/finish-deletion-when-it-broke-off.ts';
import { DELETIONS_AT_ONCE } from '../src/projections/conversations.ts';
import { ENDED_AT_ONCE } from '../src/projections/shares/shares.ts';
import { ConversationRemoval } from '../src/workflows/conversation-removal.ts';
import { ConversationShares } from '../src/workflows/shares/conversation-shares.ts';
import { opened } from './opened-service.ts';

const HOUR = 3_600_000;
const now = () => Instant.ofMillis(Date.now());
const policies = [EndSharesWhenTheyExpire, DeleteTemporaryConversationsWhenTheirTimeIsOver, FinishDeletionWhenItBrokeOff] as const;

const { service: inference, buses } = opened();
let [shares, temporary, deletions]: [
  EndSharesWhenTheyExpire,
  DeleteTemporaryConversationsWhenTheirTimeIsOver,
  FinishDeletionWhenItBrokeOff,
] = [] as never;

// The test triggers the rounds.
const useFactory = (...its: [typeof shares, typeof temporary, typeof deletions]) => ([shares, temporary, deletions] = its);
const module: Service['module'] = async (host) => {
  const inner = await inference.module(host);
  return { ...inner, providers: [...inner.providers!, { provide: 'policies', inject: [...policies], useFactory }] };
};
const service = await serviceUnderTest({ ...inference, module, schedule: [] });
afterAll(() => service.stop());
afterEach(() => void jest.restoreAllMocks());

/** All items but the last one always fail. Resolves with the items of each round. */
async function rounds(count: number, round: () => Promise<void>, taken: () => string[]): Promise<readonly string[][]> {
  const all: string[][] = [];
  for (let index = 0; index < count; index++) {
    const before = taken().length;
    await round().catch((error: unknown) => expect(error).toBeInstanceOf(AggregateError));
    all.push(taken().slice(before));
  }
  return all;
}
const broken = () => Promise.reject(new Error('the store of keys is down'));

async function conversations(count: number): Promise<string[]> {
  const ids: string[] = [];
  const claim = { claim: 'elsewhere', leaseUntil: Instant.plus(now(), 1_000 * HOUR) };
  for (let index = 0; index < count; index++) {
    const id = newId();
    const [messageId, replyId] = [newId(), newId()];
    const message = { userId: 'ann', botId: null, messageId, replyId, parent: null, content: 's1.x', model: 'local' };
    const begun = { type: 'Submit', ...message, claim, temporary: true } as const;
    await buses.commands.execute(new ExecuteConversation(id, begun as never));
    ids.push(id);
  }
  return ids;
}

describe('items that always fail', () => {
  it('do not block expired shares after them, and are retried', async () => {
    const expiresAt = Instant.plus(now(), HOUR);
    const ids = Array.from({ length: ENDED_AT_ONCE + 1 }, () => newId());
    for (const [index, shareId] of ids.entries()) {
      const terms = { shareId, conversationId: newId(), botId: null, audience: 'public', includesAttachments: false } as const;
      const snapshot = { title: 's1.x', messages: 1, pages: ['s1.x'], includesSources: false, tokenHash: shareId };
      const command = { type: 'Share', ...terms, ...snapshot, expiresAt: Instant.plus(expiresAt, index), now: now() };
      await buses.commands.execute(new ExecuteShares(`user ${index}`, command as never));
    }
    const expire = jest.spyOn(ConversationShares.prototype, 'expire').mockImplementation(broken);
    service.later(2 * HOUR);
    const [first, second, third] = await rounds(
      3,
      () => shares.end(),
      () => expire.mock.calls.map(([{ share_id }]) => share_id),
    );
    expect([first, second, third]).toEqual([ids.slice(0, -1), ids.slice(-1), ids.slice(0, -1)]);
  });

  it('do not block temporary conversations and deletions after them', async () => {
    const ids = await conversations(DELETIONS_AT_ONCE + 1);
    const calls = (spy: { mock: { calls: [string, ...unknown[]][] } }) => () => spy.mock.calls.map(([id]) => id);
    service.later(30 * HOUR);
    const expire = jest.spyOn(ConversationRemoval.prototype, 'expire').mockImplementation(broken);
    const over = await rounds(2, () => temporary.delete(), calls(expire as never));
    expect(over.map(({ length }) => length)).toEqual([DELETIONS_AT_ONCE, 1]);
    expect(over.flat().toSorted()).toEqual(ids.toSorted());

    for (const id of ids) await buses.commands.execute(new ExecuteConversation(id, { type: 'Delete', userId: 'ann' }));
    service.later(HOUR);
    const erase = jest.spyOn(ConversationRemoval.prototype, 'erase').mockImplementation(broken);
    const begun = await rounds(2, () => deletions.finish(), calls(erase as never));
    expect(begun.flat().toSorted()).toEqual(ids.toSorted());
  });
});
