import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { LiveReplies } from './live-replies.ts';

const claimed = (claim: string) => ({ userId: 'ann', conversationId: 'c', replyId: 'r', claim, leaseUntil: Instant.ofMillis(10_000) });
const begun = Instant.ofMillis(0);

describe('the replies that a process writes', () => {
  it('keep a reply that was claimed again when the work of the lost claim ends', () => {
    const replies = new LiveReplies();
    const lost = replies.begin(claimed('one'), begun);
    const again = replies.begin(claimed('two'), begun);
    replies.end(lost);
    expect([replies.of('r') === again, lost.hasEnded, again.hasEnded]).toEqual([true, true, false]);
    replies.end(again);
    expect(replies.of('r')).toBeUndefined();
  });
  it('are no longer awaited by a reader that has left', async () => {
    const reply = new LiveReplies().begin(claimed('one'), begun);
    const reader = new AbortController();
    const change = reply.change(reader.signal);
    reader.abort();
    await expect(change).resolves.toBeUndefined();
  });
  it('wake a reader that waits for the end only at the end', async () => {
    const replies = new LiveReplies();
    const reply = replies.begin(claimed('one'), begun);
    let hasEnded = false;
    const waiting = reply.ended(new AbortController().signal).then(() => (hasEnded = true));
    reply.text.add('It is.');
    reply.notifyReaders();
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    replies.end(reply);
    await waiting;
  });
  it('wake readers that wait for a reply when it begins, and forget them', async () => {
    const replies = new LiveReplies();
    const reader = new AbortController();
    const waiting = [replies.begun('r', reader.signal), replies.begun('r', reader.signal)];
    const left = replies.begun('other', reader.signal);
    replies.begin(claimed('one'), begun);
    await Promise.all(waiting);
    reader.abort();
    await left;
    expect(replies.awaitedReplies).toBe(0);
  });
  it('stop for the first cause', () => {
    const reply = new LiveReplies().begin(claimed('one'), begun);
    reply.stop('cancelled');
    reply.stop('lost');
    expect(reply.signal.reason).toMatchObject({ because: 'cancelled' });
  });
});
