import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import { Instant, refuse } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import { type Logger, RequestContext } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import type { ExecuteConversation } from '../../commands/aggregates.ts';
import { holderOf } from '../../domain/conversation-holder.ts';
import type { OwedReplyRow } from '../../projections/messages/message-rows.ts';
import type { Catalogue } from '../../adapters/catalogue.ts';
import { CountOwedReplies } from '../../projections/messages/owed-replies.ts';
import { BYTES_IN_HAND } from './places.ts';
import { type Arriving, RepliesInHand } from './replies-in-hand.ts';
import type { Question } from '../writing/reply-prompt.ts';
import { type ClaimedReply, LiveReplies } from '../live-replies.ts';
import type { ReplyWriter } from '../writing/reply-writer.ts';

const MOST_OWED = 100;
/** Calls at once of the provider. One user has three quarters of them. */
const AT_ONCE = 40;
const OF_A_USER = 30;
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
function desk({ shutdownGraceSeconds = 25, maxOwedReplies = MOST_OWED } = {}) {
  const owed: string[] = [];
  const writing = new Map<string, () => void>();
  const looks: number[] = [];
  const refused = new Set<string>();
  const cancelled = new Set<string>();
  const taken: ClaimedReply[] = [];
  const live = new LiveReplies();
  const callers: unknown[] = [];
  const authors = new Map<string, readonly [holder: string, provider: string]>();
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
        return owed.map((reply_id) => {
          const [holder = '', model = ''] = authors.get(reply_id) ?? ['ann', 'p'];
          return { conversation_id: 'c', reply_id, holder, model, lease_until: 0, ...(cancelled.has(reply_id) && { is_cancelled: true }) };
        });
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
    {
      providers: {
        callsAtOnce: new Map([
          ['p', AT_ONCE],
          ['q', AT_ONCE],
        ]),
      },
      providerOf: (model: string) => model,
    } as unknown as Catalogue,
    { now: () => Instant.ofMillis(0) } as Clock,
    { error: () => undefined } as unknown as Logger,
    Object.assign(new Config(), { maxOwedReplies, shutdownGraceSeconds }),
  );
  const accept = (replyId: string, { userId = 'ann', model = 'p', bytes = 1, api }: Partial<Arriving> = {}) =>
    replies.accept({ userId, ...(api && { api }), conversationId: 'c', replyId, model, bytes }, async (claim) => {
      if (claim) return { reply: { userId, conversationId: 'c', replyId, ...claim }, question };
      authors.set(replyId, [holderOf({ userId, apiId: api?.apiId }), model]);
      owed.push(replyId);
      return null;
    });
  const refuseOne = () =>
    replies.accept({ userId: 'ann', conversationId: 'c', replyId: 'refused', model: 'p', bytes: BYTES_IN_HAND }, () =>
      Promise.reject(refuse('conflict', 'reply_in_progress', 'Wait.')),
    );
  const end = async (replyId: string) => {
    await waitFor(() => writing.has(replyId), { what: `${replyId} to be written` });
    writing.get(replyId)!();
    writing.delete(replyId);
  };
  return { replies, accept, refuseOne, end, owed, writing, looks, refused, callers, cancelled, taken, live };
}

const names = (count: number, prefix = 'r') => Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(4, '0')}`);

describe('replies in hand', () => {
  it('writes what it accepts at once, and looks for nothing else', async () => {
    const { accept, end, writing, looks, replies } = desk();
    await accept('r');
    await waitFor(() => writing.has('r'), { what: 'the reply to be written' });
    await end('r');
    await replies.stop();
    expect(looks).toEqual([]);
  });
  it('accepts without a claim when there is no place, and takes those replies as others end, oldest first', async () => {
    const { accept, end, owed, writing, replies, taken, looks } = desk();
    const all = names(OF_A_USER + 5);
    for (const name of all) await accept(name);
    expect([writing.size, owed]).toEqual([OF_A_USER, all.slice(OF_A_USER)]);
    for (const name of all) {
      await end(name);
      expect(writing.size).toBeLessThanOrEqual(OF_A_USER);
    }
    await replies.stop();
    expect([taken.map(({ replyId }) => replyId), owed, looks]).toEqual([all, [], []]);
  });
  it('keeps places for another user, who takes turns with the first one when there are none', async () => {
    const { accept, end, owed, writing } = desk();
    const anns = names(OF_A_USER + 3, 'ann');
    for (const name of anns) await accept(name);
    const bens = names(AT_ONCE - OF_A_USER + 2, 'ben');
    for (const name of bens) await accept(name, { userId: 'ben' });
    expect([writing.size, owed.length]).toEqual([AT_ONCE, 5]);
    for (const ended of anns.slice(0, 2)) await end(ended);
    await waitFor(() => writing.size === AT_ONCE, { what: 'the free places to be taken' });
    expect([writing.has(anns.at(-3)!), writing.has(bens.at(-2)!), writing.has(anns.at(-2)!)]).toEqual([true, true, false]);
  });
  it('keeps places for the owner of a published API whose programs have taken all of theirs', async () => {
    const { accept, writing } = desk();
    for (const name of names(OF_A_USER + 3, 'program')) await accept(name, { api: { apiId: 'a1', keyId: 'k1' } });
    expect(writing.size).toBe(OF_A_USER);
    await accept('own');
    expect(writing.has('own')).toBe(true);
  });
  it('takes over replies of one provider while another one hangs', async () => {
    const { accept, replies, owed, writing } = desk();
    for (const name of names(AT_ONCE, 'ann')) await accept(name);
    for (const name of names(AT_ONCE, 'ben')) await accept(name, { userId: 'ben' });
    expect(writing.size).toBe(AT_ONCE);
    await accept('other', { model: 'q' });
    for (const name of names(OF_A_USER, 'q')) await accept(name, { model: 'q', userId: 'cleo' });
    await waitFor(() => writing.has('other') && writing.has('q0029'), { what: 'the replies of the other provider' });
    await replies.takeOwed();
    expect(owed).toHaveLength(AT_ONCE);
  });
  it('ends a reply that its user has stopped, also where its provider has no place', async () => {
    const { accept, replies, writing, cancelled } = desk();
    for (const name of names(OF_A_USER + 1)) await accept(name);
    cancelled.add('r0030');
    await replies.takeOwed();
    await waitFor(() => writing.has('r0030'), { what: 'the stopped reply' });
  });
  it('claims no more once the messages in hand have so many bytes', async () => {
    const { accept, writing, owed } = desk();
    await accept('large', { bytes: BYTES_IN_HAND });
    await waitFor(() => writing.has('large'), { what: 'the reply to be written' });
    await accept('small');
    expect(owed).toEqual(['small']);
  });
  it('counts the bytes of a prompt when they are known', async () => {
    const { accept, writing, taken, owed } = desk();
    await accept('large', { bytes: BYTES_IN_HAND });
    taken[0]!.place!.resize(1_000);
    await accept('small');
    await waitFor(() => writing.has('small'), { what: 'the reply to be written' });
    expect(owed).toEqual([]);
  });
  it('refuses messages as busy once so many replies are owed, and accepts again when some are written', async () => {
    const { accept, end, owed, writing, replies } = desk();
    const all = names(MOST_OWED);
    for (const name of all) await accept(name);
    await expect(accept('one more')).rejects.toMatchObject({ code: 'busy', kind: 'unavailable', facts: { retry_after: 5 } });
    expect([owed, await replies.numbers()]).toEqual([all.slice(OF_A_USER), { inHand: OF_A_USER, owed: MOST_OWED }]);
    for (const name of all) await end(name);
    await waitFor(() => writing.size === 0, { what: 'the places to be free' });
    await accept('again');
    expect(writing.has('again')).toBe(true);
  });
  it('counts the replies that it writes as owed, also where there are places for more', async () => {
    const { accept, end, writing } = desk({ maxOwedReplies: 2 });
    for (const name of names(2)) await accept(name);
    await expect(accept('one more')).rejects.toMatchObject({ code: 'busy', kind: 'unavailable', facts: { retry_after: 5 } });
    await end('r0000');
    await waitFor(
      () =>
        accept('again').then(
          () => true,
          () => false,
        ),
      { what: 'the place to be free' },
    );
    expect([...writing.keys()]).toEqual(['r0001', 'again']);
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
    for (const name of names(OF_A_USER)) {
      owed.push(name);
      refused.add(name);
    }
    await replies.takeOwed();
    await replies.stop();
    expect(looks).toHaveLength(1);
  });
  it('gives the caller the refusal of the append, and keeps no place for it', async () => {
    const { accept, refuseOne, writing } = desk();
    for (let n = 0; n < AT_ONCE; n++) await expect(refuseOne()).rejects.toThrow('Wait.');
    await accept('r');
    await waitFor(() => writing.has('r'), { what: 'the reply to be written' });
  });
  it('gives places and bytes back when replies have ended', async () => {
    const { replies, accept, end, taken, owed } = desk();
    await accept('large', { bytes: BYTES_IN_HAND });
    await end('large');
    await waitFor(async () => (await replies.numbers()).inHand === 0, { what: 'the place to be free' });
    // The prompt of a model that went on behind the end of its reply.
    taken[0]!.place!.resize(BYTES_IN_HAND);
    await accept('small');
    expect(owed).toEqual([]);
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
    const { replies, accept, end, owed } = desk();
    const all = names(OF_A_USER + 1);
    for (const name of all) await accept(name);
    const stopped = replies.stop();
    for (const name of all.slice(0, OF_A_USER)) await end(name);
    await stopped;
    await accept('late');
    expect(owed).toEqual([all.at(-1), 'late']);
  });
});
