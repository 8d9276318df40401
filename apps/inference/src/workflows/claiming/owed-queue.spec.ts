import { describe, expect, it } from '@jest/globals';
import { type Owed, OwedQueue } from './owed-queue.ts';

const owed = (replyId: string, owner = 'ann', provider = 'p'): Owed => ({ conversationId: 'c', replyId, owner, provider });

function taken(queue: OwedQueue, mayHavePlace: Parameters<OwedQueue['next']>[0] = () => true): string[] {
  const all: string[] = [];
  for (let next = queue.next(mayHavePlace); next; next = queue.next(mayHavePlace)) all.push(next.replyId);
  return all;
}

describe('owed replies that wait for a place', () => {
  it('are taken in turns of their users, those of one user oldest first', () => {
    const queue = new OwedQueue();
    for (const each of [owed('a1'), owed('a2'), owed('a3'), owed('b1', 'ben')]) queue.add(each);
    expect(taken(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
  });
  it('are passed over while their provider has no place', () => {
    const queue = new OwedQueue();
    for (const each of [owed('a1'), owed('a2', 'ann', 'q'), owed('b1', 'ben')]) queue.add(each);
    expect([taken(queue, ({ provider }) => provider === 'q'), queue.size]).toEqual([['a2'], 2]);
  });
  it('are there once', () => {
    const queue = new OwedQueue();
    queue.add(owed('a1'));
    queue.add(owed('a1'));
    expect(taken(queue)).toEqual(['a1']);
  });
  it('are replaced by those in the rows, and keep those that were added meanwhile', async () => {
    const queue = new OwedQueue();
    queue.add(owed('gone'));
    await queue.refill(async () => {
      queue.add(owed('late'));
      return [owed('there')];
    });
    expect(taken(queue)).toEqual(['there', 'late']);
  });
  it('stay when the rows cannot be read', async () => {
    const queue = new OwedQueue();
    queue.add(owed('a1'));
    await expect(queue.refill(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(taken(queue)).toEqual(['a1']);
  });
});
