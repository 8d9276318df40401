import { describe, expect, it } from '@jest/globals';
import { type QueuedReply, ReplyQueue } from './reply-queue.ts';

const reply = (replyId: string, owner = 'ann', provider = 'p'): QueuedReply => ({ conversationId: 'c', replyId, owner, provider });

function taken(queue: ReplyQueue, mayHaveSlot: Parameters<ReplyQueue['next']>[0] = () => true): string[] {
  const all: string[] = [];
  for (let next = queue.next(mayHaveSlot); next; next = queue.next(mayHaveSlot)) all.push(next.replyId);
  return all;
}

describe('replies that wait for a slot', () => {
  it('are taken in turns of their owners, each owner’s oldest first', () => {
    const queue = new ReplyQueue();
    for (const each of [reply('a1'), reply('a2'), reply('a3'), reply('b1', 'ben')]) queue.add(each);
    expect(taken(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
  });
  it('are skipped while their provider has no slot', () => {
    const queue = new ReplyQueue();
    for (const each of [reply('a1'), reply('a2', 'ann', 'q'), reply('b1', 'ben')]) queue.add(each);
    expect([taken(queue, ({ provider }) => provider === 'q'), queue.size]).toEqual([['a2'], 2]);
  });
  it('are queued once', () => {
    const queue = new ReplyQueue();
    queue.add(reply('a1'));
    queue.add(reply('a1'));
    expect(taken(queue)).toEqual(['a1']);
  });
  it('are replaced by those in the rows, except those that were added in the meantime', async () => {
    const queue = new ReplyQueue();
    queue.add(reply('gone'));
    await queue.refill(async () => {
      queue.add(reply('late'));
      return [reply('there')];
    });
    expect(taken(queue)).toEqual(['there', 'late']);
  });
  it('stay when the rows cannot be read', async () => {
    const queue = new ReplyQueue();
    queue.add(reply('a1'));
    await expect(queue.refill(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(taken(queue)).toEqual(['a1']);
  });
});
