import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Query, ReadModels } from '@parlance/read-models';
import { messageKey, type PendingReplyRow } from './message-rows.ts';
import { CountPendingReplies, PendingReplies, QuestionOf } from './pending-replies.ts';

const question = { message_id: 'm1', user_id: 'ann', model: 'other', parent: 'r0', content: 's1.why' };
const reply = { message_id: 'r1', parent: 'm1', model: 'local' };
const conversation = { bot_id: 'b' };

async function questionOf(rows: readonly { message_id: string }[], of: object | null = conversation) {
  const byKey = new Map<string, object | null>([['c', of], ...rows.map((row) => [messageKey('c', row.message_id), row] as const)]);
  const models = { get: async (_: unknown, key: string) => byKey.get(key) ?? null } as unknown as ReadModels;
  return QuestionOf.find(models, 'c', 'r1');
}

describe('the question of a reply', () => {
  it('is the message that the reply answers, with its author, bot, parent and sealed text, for the model of the reply', async () =>
    expect(await questionOf([question, reply])).toEqual({
      userId: 'ann',
      botId: 'b',
      model: 'local',
      parentId: 'r0',
      content: 's1.why',
      continues: null,
      wantsReasoning: false,
    }));
  it('has the text that the reply continues, and whether the model should reason', async () => {
    const earlier = { message_id: 'r0', content: 's1.because' };
    const found = await questionOf([question, earlier, { ...reply, continues: 'r0', wants_reasoning: true } as typeof reply]);
    expect(found).toMatchObject({ continues: 's1.because', wantsReasoning: true });
  });
  it('is null when the conversation no longer exists', async () => expect(await questionOf([question, reply], null)).toBeNull());
  it.each([
    ['the reply is gone', [question]],
    ['the message is gone', [reply]],
    ['the text was erased', [{ ...question, content: null }, reply]],
  ])('is null when %s', async (_, rows) => expect(await questionOf(rows)).toBeNull());
});

describe('the replies that wait for a worker', () => {
  const now = Instant.ofSeconds(1_750_000_000);
  const day = 86_400_000;
  const row = (reply_id: string, millis: number, is_awaiting: 0 | 1 = 0): PendingReplyRow => ({
    conversation_id: 'c',
    reply_id,
    holder: 'ann',
    model: 'm',
    lease_until: now + millis,
    is_awaiting,
  });

  /** The index `byLease`. */
  const withRows = (all: readonly PendingReplyRow[]) => {
    const find = async (_: unknown, { where, from = 0, to = Infinity, limit }: Query) => {
      const isFound = (each: PendingReplyRow) =>
        each.is_awaiting === where?.is_awaiting && each.lease_until >= (from as number) && each.lease_until <= (to as number);
      const rows = all
        .filter(isFound)
        .toSorted((a, b) => a.lease_until - b.lease_until)
        .slice(0, limit);
      return { rows, keys: rows.map(({ reply_id }) => reply_id), next: null };
    };
    return { find } as unknown as ReadModels;
  };

  it('are those whose lease or approval has ended, and those with a lease that cannot be', async () => {
    const models = withRows([
      row('leased', 1),
      row('ended', 0),
      row('ahead', day),
      row('awaiting', day, 1),
      row('expired', 0, 1),
      ...Array.from({ length: 60 }, (_, nth) => row(`awaiting-${nth}`, 2 * day, 1)),
    ]);
    const waiting = await PendingReplies.find(models, now, 500);
    expect(waiting.map(({ reply_id }) => reply_id)).toEqual(['ended', 'expired', 'ahead']);
    expect(await CountPendingReplies.find(models, 500)).toBe(3);
  });

  it('are few of those with a lease that cannot be', async () => {
    const models = withRows(Array.from({ length: 60 }, (_, nth) => row(String(nth), day)));
    expect(await PendingReplies.find(models, now, 500)).toHaveLength(50);
  });
});
