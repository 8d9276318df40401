import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import { Instant, refuse } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import { type Logger, RequestContext } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import type { ExecuteConversation } from '../commands/aggregates.ts';
import type { OwedReplyRow } from '../projections/messages.ts';
import { CountOwedReplies, OWED_REPLIES_PAGE } from '../projections/owed-replies.ts';
import { QUESTION_BYTES_IN_HAND, REPLIES_IN_HAND, REPLIES_OF_A_PROVIDER, RepliesInHand, TAKEN_OVER } from './replies-in-hand.ts';
import type { Question } from './reply-prompt.ts';
import { type ClaimedReply, LiveReplies } from './live-replies.ts';
import type { ReplyWriter } from './reply-writer.ts';

const MOST_OWED = 1_000;
const question: Question = {
  userId: 'ann',
  botId: null,
  model: 'm',
  parentId: null,
  text: 'why',
  continues: '',
  wantsReasoning: false,
  eventId: 'e',
};

/** Replies whose writing ends when told to; messages that were accepted without a claim are in the rows. */
function desk({ shutdownGraceSeconds = 25 } = {}) {
  const owed: string[] = [];
  const writing = new Map<string, () => void>();
  const looks: number[] = [];
  const refused = new Set<string>();
  const cancelled = new Set<string>();
  const taken: ClaimedReply[] = [];
  const live = new LiveReplies();
  const callers: unknown[] = [];
  let made = 0;
  const replies = new RepliesInHand(
    {
      execute: async ({ command }: InstanceType<typeof ExecuteConversation>) => {
        if (command.type !== 'ClaimReply') throw new Error('nothing else is commanded here');
        callers.push(RequestContext.current()?.caller);
        if (refused.has(command.replyId)) throw refuse('conflict', 'reply_claimed', 'It is claimed.');
        owed.splice(owed.indexOf(command.replyId), 1);
        return { state: { running: { [command.replyId]: { ...(cancelled.has(command.replyId) && { isCancelled: true }) } } } };
      },
    } as unknown as CommandBus,
    {
      execute: async (query: object): Promise<OwedReplyRow[] | number> => {
        if (query instanceof CountOwedReplies) return Math.min(owed.length + writing.size, query.args[0]);
        looks.push(owed.length);
        return owed.slice(0, OWED_REPLIES_PAGE).map((reply_id) => ({ conversation_id: 'c', reply_id, lease_until: 0 }));
      },
    } as unknown as QueryBus,
    {
      write: (reply: ClaimedReply) => {
        taken.push(reply);
        const its = live.begin(reply, Instant.ofMillis(0));
        return new Promise<void>((resolve) => {
          writing.set(reply.replyId, resolve);
          its.signal.addEventListener('abort', () => resolve());
        });
      },
    } as unknown as ReplyWriter,
    live,
    { now: () => Instant.ofMillis(0) } as Clock,
    { error: () => undefined } as unknown as Logger,
    Object.assign(new Config(), { maxOwedReplies: MOST_OWED, shutdownGraceSeconds }),
  );
  const accept = (replyId: string, bytes = 1, provider = `p${made++ % 2}`) =>
    replies.accept(bytes, provider, async (claim) => {
      if (claim) return { reply: { conversationId: 'c', replyId, ...claim }, question };
      owed.push(replyId);
      return null;
    });
  const end = async (replyId: string) => {
    await waitFor(() => writing.has(replyId), { what: `${replyId} to be written` });
    writing.get(replyId)!();
    writing.delete(replyId);
  };
  return { replies, accept, end, owed, writing, looks, refused, callers, cancelled, taken, live };
}

const names = (count: number, prefix = 'r') => Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(4, '0')}`);

const MOST = REPLIES_IN_HAND + TAKEN_OVER;

describe('replies in hand', () => {
  it('writes what it accepts at once, and looks for nothing else', async () => {
    const { accept, end, writing, looks, replies } = desk();
    await accept('r');
    await waitFor(() => writing.has('r'), { what: 'the reply to be written' });
    await end('r');
    await replies.stop();
    expect(looks).toEqual([]);
  });
  it('accepts without a claim beyond its bound, and takes those replies as others end, oldest first', async () => {
    const { accept, end, owed, writing, replies } = desk();
    const all = names(MOST + 5);
    for (const name of all) await accept(name);
    await waitFor(() => writing.size === MOST, { what: 'all places to be taken' });
    expect(owed).toEqual(all.slice(MOST));
    const order: string[] = [];
    for (const name of all) {
      await end(name);
      expect(writing.size).toBeLessThanOrEqual(MOST);
      order.push(name);
    }
    await replies.stop();
    expect([order, owed]).toEqual([all, []]);
  });
  it('keeps places for other providers while one hangs', async () => {
    const { accept, end, owed, writing, replies } = desk();
    const all = names(REPLIES_OF_A_PROVIDER + TAKEN_OVER + 1);
    for (const name of all) await accept(name, 1, 'hangs');
    await waitFor(() => writing.size === all.length - 1, { what: 'all places of the provider to be taken' });
    await accept('other', 1, 'answers');
    await waitFor(() => writing.has('other'), { what: 'the other reply to be written' });
    expect(owed).toEqual(all.slice(-1));
    for (const name of [...all, 'other']) await end(name);
    await replies.stop();
  });
  it('claims no more once the messages in hand have so many bytes', async () => {
    const { accept, writing, replies } = desk();
    const claims: boolean[] = [];
    await accept('large', QUESTION_BYTES_IN_HAND);
    await waitFor(() => writing.has('large'), { what: 'the reply to be written' });
    await replies.accept(1, 'p', async (claim) => (claims.push(claim !== null), null));
    expect(claims).toEqual([false]);
  });
  it('refuses messages as busy once so many replies are owed, and accepts again when some are written', async () => {
    const { accept, end, owed, writing, replies } = desk();
    const all = names(MOST_OWED);
    for (const name of all) await accept(name);
    await expect(accept('one more')).rejects.toMatchObject({ code: 'busy', kind: 'unavailable', facts: { retry_after: 5 } });
    expect([owed, await replies.numbers()]).toEqual([all.slice(MOST), { inHand: MOST, owed: MOST_OWED }]);
    for (const name of all.slice(0, REPLIES_IN_HAND)) await end(name);
    await waitFor(() => writing.size === MOST - REPLIES_IN_HAND, { what: 'the places to be free' });
    await accept('again');
    expect(writing.has('again')).toBe(true);
  });
  it('works off more than one page without a timer', async () => {
    const { accept, end, owed, replies, looks } = desk();
    const all = names(REPLIES_IN_HAND + 2 * OWED_REPLIES_PAGE + 7);
    for (const name of all) await accept(name);
    for (const name of all) await end(name);
    await replies.stop();
    expect(owed).toEqual([]);
    expect(looks.length).toBeLessThan(TAKEN_OVER + 10);
  });
  it('takes replies that other processes left, when the timer asks', async () => {
    const { replies, owed, end } = desk();
    owed.push('left');
    await replies.takeOwed();
    await end('left');
    await replies.stop();
    expect(owed).toEqual([]);
  });
  it('leaves a reply to its worker in this process, when the lease has ended while the process stood still', async () => {
    const { replies, accept, end, owed, taken } = desk();
    await accept('r');
    owed.push('r');
    await replies.takeOwed();
    await new Promise(setImmediate);
    expect(taken).toHaveLength(1);
    await end('r');
    await replies.stop();
  });
  it('does not look again and again at replies that it cannot claim', async () => {
    const { replies, owed, refused, looks } = desk();
    for (const name of names(OWED_REPLIES_PAGE)) {
      owed.push(name);
      refused.add(name);
    }
    await replies.takeOwed();
    await replies.stop();
    expect(looks).toHaveLength(1);
  });
  it('gives the caller the refusal of the append, and keeps no place for it', async () => {
    const { replies, accept, writing } = desk();
    for (let n = 0; n < REPLIES_IN_HAND; n++)
      await expect(replies.accept(1, 'p', () => Promise.reject(refuse('conflict', 'reply_in_progress', 'Wait.')))).rejects.toThrow('Wait.');
    await accept('r');
    await waitFor(() => writing.has('r'), { what: 'the reply to be written' });
  });
  it('gives places and bytes back when replies have ended and when messages were refused', async () => {
    const { replies, accept, end } = desk();
    await accept('large', QUESTION_BYTES_IN_HAND);
    await end('large');
    for (let n = 0; n < REPLIES_IN_HAND; n++)
      await expect(replies.accept(1, 'p', () => Promise.reject(refuse('conflict', 'reply_in_progress', 'Wait.')))).rejects.toThrow('Wait.');
    const claims: boolean[] = [];
    await waitFor(
      async () => {
        await replies.accept(1, 'p', async (claim) => (claims.push(claim !== null), null));
        return claims.at(-1);
      },
      { what: 'a claim' },
    );
    await replies.stop();
  });
  it('takes a reply over without the rights of its user', async () => {
    const { replies, owed, end, callers } = desk();
    owed.push('left');
    const caller = { userId: 'ben', groups: ['Admin'], sessionId: 's', kind: 'user' } as const;
    await RequestContext.run({ ...RequestContext.background(), caller }, () => replies.takeOwed());
    await end('left');
    expect(callers).toEqual([null]);
  });
  it('knows of a reply that it takes over whether its user stopped it', async () => {
    const { replies, owed, end, cancelled, taken } = desk();
    owed.push('a', 'b');
    cancelled.add('b');
    await replies.takeOwed();
    await end('a');
    await end('b');
    expect(taken).toMatchObject([
      { replyId: 'a', isCancelled: false },
      { replyId: 'b', isCancelled: true },
    ]);
  });
  it('leaves replies that take too long to other processes when this one ends', async () => {
    const { replies, accept, live } = desk({ shutdownGraceSeconds: 0.02 });
    await accept('long');
    await waitFor(() => live.of('long'), { what: 'the reply to be written' });
    await replies.stop();
    expect(live.of('long')!.signal.reason).toMatchObject({ because: 'process_ends' });
  });
  it('ends when those in hand have, and takes no more', async () => {
    const { replies, accept, end, owed, writing } = desk();
    const all = names(MOST + 1);
    for (const name of all) await accept(name);
    await waitFor(() => writing.size === MOST, { what: 'all places to be taken' });
    const stopped = replies.stop();
    for (const name of all.slice(0, MOST)) await end(name);
    await stopped;
    await accept('late');
    expect(owed).toEqual([all.at(-1), 'late']);
  });
});
