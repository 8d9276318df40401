import { describe, expect, it } from '@jest/globals';
import type { At, Query, ReadModels, Row } from '@parlance/read-models';
import type { ConversationEvent, Usage } from '../../domain/conversation-events.ts';
import { MESSAGES_REMOVED_AT_ONCE } from '../../domain/conversation-limits.ts';
import { MessagesLeft } from '../content-of-user.ts';
import { CITING_REPLIES_KEPT, type ConversationDocumentRow, DOCUMENTS_KEPT } from './cited-documents.ts';
import { messages } from './messages.ts';
import { CHUNK_BYTES_READ, UsedChunksOfReplies } from './used-chunks.ts';

const usage: Usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const at = { stream: 'conversation-c' } as At;

/** The row of cited documents after replies that cite these sources. */
function documentsAfter(replies: readonly { readonly replyId: string; readonly sourceIds: readonly string[] }[]) {
  let row: ConversationDocumentRow | null = null;
  for (const { replyId, sourceIds } of replies) {
    const parties = { userId: 'ann', botId: 'b', model: 'm' };
    const usedChunks = { content: 's1.z', sourceIds };
    const event = { type: 'ReplyCompleted', ...parties, replyId, content: 's1.y', usage, costNanoDollars: 0, usedChunks } as const;
    for (const change of messages.changes(event, at))
      if (change.op === 'update') row = change.change(row as Row | null) as unknown as ConversationDocumentRow;
  }
  return row!.documents;
}

describe('the documents that a conversation cites', () => {
  it('are kept with their latest replies, the most recently cited first', () =>
    expect(
      documentsAfter([
        { replyId: 'r1', sourceIds: ['a', 'b'] },
        { replyId: 'r2', sourceIds: ['c', 'b'] },
      ]),
    ).toEqual([
      { source_id: 'c', reply_ids: ['r2'] },
      { source_id: 'b', reply_ids: ['r2', 'r1'] },
      { source_id: 'a', reply_ids: ['r1'] },
    ]));
  it('are bounded in number, and so are their replies', () => {
    const replies = Array.from({ length: DOCUMENTS_KEPT + 1 }, (_, n) => ({ replyId: `r${n}`, sourceIds: ['often', `d${n}`] }));
    const documents = documentsAfter(replies);
    expect([documents.length, documents[0]!.reply_ids.length]).toEqual([DOCUMENTS_KEPT, CITING_REPLIES_KEPT]);
    expect([documents[0]!.reply_ids[0], documents.at(-1)!.source_id]).toEqual([`r${DOCUMENTS_KEPT}`, 'd2']);
  });
});

describe('the row of a reply', () => {
  const end = {
    type: 'ReplyCompleted',
    userId: 'ann',
    botId: null,
    replyId: 'r',
    content: 's1.y',
    model: 'other',
    usage,
    costNanoDollars: 7,
  } as const;
  it('has the reason why the reply ended, and the model that answered', () => {
    const whole: ConversationEvent = { ...end, stopReason: 'max_tokens', claim: 'one', reasoning: 's1.hm' };
    const [change] = messages.changes(whole, at);
    const fields = { model: 'other', stop_reason: 'max_tokens', usage, cost_nano_dollars: 7, claim: 'one', reasoning: 's1.hm' };
    expect(change).toMatchObject({ op: 'patch', key: 'c/r', fields });
    expect(messages.changes(end, at)[0]).toMatchObject({ fields: { stop_reason: 'end_turn' } });
  });
  it('has the text of a stream that broke', () => {
    const failed = { type: 'ReplyFailed', userId: 'ann', botId: null, replyId: 'r', model: 'm', code: 'x', reason: 'Y.' } as const;
    const broken: ConversationEvent = { ...failed, content: 's1.half', claim: 'one' };
    expect(messages.changes(broken, at)[0]).toMatchObject({
      fields: { status: 'failed', content: 's1.half', claim: 'one' },
    });
    expect(messages.changes(failed, at)[0]).not.toHaveProperty('fields.content');
  });
});

describe('a step of an erasure', () => {
  const left = async (rows: readonly object[]) =>
    (await MessagesLeft.find({ find: async (_: unknown, __: Query) => ({ rows }) } as unknown as ReadModels, 'c')).map(({ id }) => id);
  it('removes few replies with long chunks, and at least one', async () => {
    const row = (message_id: string, used_chunk_bytes?: number) => ({ message_id, used_chunk_bytes });
    expect(await left([row('a', 2 ** 22), row('b')])).toEqual(['a']);
    expect(await left([row('a'), row('b', 2 ** 19), row('c'), row('d', 2 ** 19), row('e'), row('f')])).toEqual(['a', 'b', 'c', 'd']);
  });
  it('removes few replies with long tool results', async () => {
    const row = (message_id: string, bytes: number) => ({ message_id, tools: { bytes } });
    expect((await left([row('a', 2 ** 19), row('b', 2 ** 19), row('c', 2 ** 19)])).length).toBe(2);
  });
  it('removes many messages without chunks', async () => {
    const rows = Array.from({ length: MESSAGES_REMOVED_AT_ONCE }, (_, n) => ({ message_id: `m${n}` }));
    expect((await left(rows)).length).toBe(MESSAGES_REMOVED_AT_ONCE);
  });
});

describe('the chunks of several replies', () => {
  const chunksOf = async (texts: Readonly<Record<string, string>>, ids: readonly string[]) => {
    const models = { get: async (_: unknown, key: string) => (texts[key] ? { chunks: texts[key] } : null) } as unknown as ReadModels;
    return [...(await UsedChunksOfReplies.find(models, 'c', ids)).keys()];
  };
  it('are read up to a size', async () =>
    expect(await chunksOf({ 'c/a': 'x'.repeat(CHUNK_BYTES_READ - 1), 'c/b': 'x', 'c/c': 'x' }, ['a', 'b', 'c'])).toEqual(['a', 'b']));
  it('are left out if they were erased', async () => expect(await chunksOf({ 'c/b': 'x' }, ['a', 'b'])).toEqual(['b']));
});
