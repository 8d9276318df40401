import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { Shredded } from '@parlance/privacy';
import { RequestContext } from '@parlance/observability';
import { reply, question, usage, writing, away, parts } from '../../../test/written-reply.ts';

describe('writing a reply', () => {
  it('gives the model the earlier turns and the question', async () => {
    const { writer, told } = writing();
    await writer.write(reply, question);
    expect([told.commands, told.turns]).toEqual([
      ['CompleteReply'],
      [
        { role: 'user', text: 'open before' },
        { role: 'user', text: 'why' },
      ],
    ]);
  });
  it('is on record as caused by the user and the message, without their rights', async () => {
    const { writer, told } = writing();
    const caller = { userId: 'ann', groups: ['Admin'], sessionId: 's', kind: 'user' } as const;
    await RequestContext.run({ ...RequestContext.background(), caller }, () => writer.write(reply, question));
    expect(told.contexts).toEqual([['ann', [], 'e']]);
  });
  it('reads the question of a reply that is taken over', async () => {
    const { writer, told } = writing({
      asked: { userId: 'ann', botId: null, model: 'm', parentId: null, content: 'sealed', continues: null },
    });
    await writer.write(reply);
    expect(told.turns.at(-1)).toEqual({ role: 'user', text: 'open sealed' });
  });
  it('does nothing when the question is gone', async () => {
    const { writer, told } = writing();
    await writer.write(reply);
    expect([told.commands, told.errors]).toEqual([[], 0]);
  });
  it('fails a reply whose question cannot be opened any more', async () => {
    const { writer, told } = writing({
      asked: { userId: 'ann', botId: null, model: 'm', parentId: null, content: 'x', continues: null },
      open: async () => null,
    });
    await writer.write(reply);
    expect(told.commands).toEqual(['FailReply']);
  });
  it('leaves it to be taken over when a database is away', async () => {
    const { writer, told } = writing({ open: away });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([[], 1]);
  });
  it('ends it as failed when the model fails', async () => {
    const { writer, told } = writing({ generate: () => Promise.reject(new TypeError('a mistake')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['FailReply'], 0]);
  });
  it.each([
    ['req_011CS-a.b:c', 'req_011CS-a.b:c'],
    ['why the sky is blue', undefined],
    ['x'.repeat(201), undefined],
  ])('keeps of %j as the ID of the call: %j', async (requestId, kept) => {
    const end = { type: 'end', stopReason: 'end_turn', usage, requestId } as const;
    const { writer, told } = writing({ produce: parts({ type: 'text', text: 'so' }, end)() });
    await writer.write(reply, question);
    expect((told.ends[0] as { provenance?: { requestId?: string } }).provenance!.requestId).toBe(kept);
  });
  it('sends nothing more when another worker has the reply', async () => {
    const { writer, told } = writing({ command: () => Promise.reject(refuse('conflict', 'claim_lost', 'It is over.')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['CompleteReply'], 0]);
  });
  const chat = { chargeId: 'r', purpose: 'chat', model: 'm', usage, costNanoDollars: 10 };
  it('is charged when its conversation was deleted before it could be stored', async () => {
    const { writer, told } = writing({ command: () => Promise.reject(refuse('conflict', 'reply_is_over', 'It is over.')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['CompleteReply', 'ChargeErasedReply'], 0]);
    expect(told.ends.at(-1)).toEqual({ type: 'ChargeErasedReply', replyId: 'r', claim: 'one', charges: [chat] });
  });
  it('is charged when the key of its conversation is destroyed', async () => {
    const { writer, told } = writing({ seal: () => Promise.reject(new Shredded('conversation:c')) });
    await writer.write(reply, question);
    expect([told.ends, told.errors]).toEqual([[{ type: 'ChargeErasedReply', replyId: 'r', claim: 'one', charges: [chat] }], 0]);
  });
});
