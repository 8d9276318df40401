import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { Shredded } from '@parlance/privacy';
import { RequestContext } from '@parlance/observability';
import { reply, question, usage, writing, away, parts } from '../../../test/written-reply.ts';

describe('writing a reply', () => {
  it('passes the earlier turns and the question to the model', async () => {
    const { writer, observed } = writing();
    await writer.write(reply, question);
    expect([observed.commands, observed.turns]).toEqual([
      ['CompleteReply'],
      [
        { role: 'user', text: 'open before' },
        { role: 'user', text: 'why' },
      ],
    ]);
  });
  it('records the user and the message as the cause, without the user’s rights', async () => {
    const { writer, observed } = writing();
    const caller = { userId: 'ann', groups: ['Admin'], sessionId: 's', kind: 'user' } as const;
    await RequestContext.run({ ...RequestContext.background(), caller }, () => writer.write(reply, question));
    expect(observed.contexts).toEqual([['ann', [], 'e']]);
  });
  it('reads the question of a reply that is taken over', async () => {
    const { writer, observed } = writing({
      sealedQuestion: { userId: 'ann', botId: null, model: 'm', parentId: null, content: 'sealed', continues: null },
    });
    await writer.write(reply);
    expect(observed.turns.at(-1)).toEqual({ role: 'user', text: 'open sealed' });
  });
  it('does nothing when the question no longer exists', async () => {
    const { writer, observed } = writing();
    await writer.write(reply);
    expect([observed.commands, observed.errors]).toEqual([[], 0]);
  });
  it('fails a reply whose question can no longer be opened', async () => {
    const { writer, observed } = writing({
      sealedQuestion: { userId: 'ann', botId: null, model: 'm', parentId: null, content: 'x', continues: null },
      open: async () => null,
    });
    await writer.write(reply);
    expect(observed.commands).toEqual(['FailReply']);
  });
  it('leaves the reply to be taken over when a database is unavailable', async () => {
    const { writer, observed } = writing({ open: away });
    await writer.write(reply, question);
    expect([observed.commands, observed.errors]).toEqual([[], 1]);
  });
  it('ends the reply as failed when the model fails', async () => {
    const { writer, observed } = writing({ generate: () => Promise.reject(new TypeError('a mistake')) });
    await writer.write(reply, question);
    expect([observed.commands, observed.errors]).toEqual([['FailReply'], 0]);
  });
  it.each([
    ['req_011CS-a.b:c', 'req_011CS-a.b:c'],
    ['why the sky is blue', undefined],
    ['x'.repeat(201), undefined],
  ])('stores %j as the ID of the call: %j', async (requestId, kept) => {
    const end = { type: 'end', stopReason: 'end_turn', usage, requestId } as const;
    const { writer, observed } = writing({ produce: parts({ type: 'text', text: 'so' }, end)() });
    await writer.write(reply, question);
    expect((observed.ends[0] as { provenance?: { requestId?: string } }).provenance!.requestId).toBe(kept);
  });
  it('appends nothing more when another worker has the reply', async () => {
    const { writer, observed } = writing({ command: () => Promise.reject(refuse('conflict', 'claim_lost', 'It is over.')) });
    await writer.write(reply, question);
    expect([observed.commands, observed.errors]).toEqual([['CompleteReply'], 0]);
  });
  const chat = { chargeId: 'r', purpose: 'chat', model: 'm', usage, costNanoDollars: 10 };
  it('is charged when its conversation was deleted before it could be stored', async () => {
    const { writer, observed } = writing({ command: () => Promise.reject(refuse('conflict', 'reply_is_over', 'It is over.')) });
    await writer.write(reply, question);
    expect([observed.commands, observed.errors]).toEqual([['CompleteReply', 'ChargeErasedReply'], 0]);
    expect(observed.ends.at(-1)).toEqual({ type: 'ChargeErasedReply', replyId: 'r', claim: 'one', charges: [chat] });
  });
  it('is charged when the key of its conversation is destroyed', async () => {
    const { writer, observed } = writing({ seal: () => Promise.reject(new Shredded('conversation:c')) });
    await writer.write(reply, question);
    expect([observed.ends, observed.errors]).toEqual([[{ type: 'ChargeErasedReply', replyId: 'r', claim: 'one', charges: [chat] }], 0]);
  });
});
