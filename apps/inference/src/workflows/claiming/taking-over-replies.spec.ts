import { describe, expect, it } from '@jest/globals';
import { RequestContext } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import { AT_ONCE, OF_A_USER, names, replyDesk } from '../../../test/reply-desk.ts';

describe('replies that are taken over, and the end of a process', () => {
  it('takes over replies of one provider while another one hangs', async () => {
    const { accept, replies, owed, writing } = replyDesk();
    for (const name of names(AT_ONCE, 'ann')) await accept(name);
    for (const name of names(AT_ONCE, 'ben')) await accept(name, { userId: 'ben' });
    expect(writing.size).toBe(AT_ONCE);
    await accept('other', { model: 'q' });
    for (const name of names(OF_A_USER, 'q')) await accept(name, { model: 'q', userId: 'cleo' });
    await waitFor(() => writing.has('other') && writing.has('q0029'), { what: 'the replies of the other provider' });
    await replies.takePending();
    expect(owed).toHaveLength(AT_ONCE);
  });
  it('ends a reply that its user has stopped, even if its provider has no slot', async () => {
    const { accept, replies, writing, cancelled } = replyDesk();
    for (const name of names(OF_A_USER + 1)) await accept(name);
    cancelled.add('r0030');
    await replies.takePending();
    await waitFor(() => writing.has('r0030'), { what: 'the stopped reply' });
  });
  it('takes replies that other processes left, when the timer runs', async () => {
    const { replies, owed, end } = replyDesk();
    owed.push('left');
    await replies.takePending();
    await end('left');
    await replies.stop();
    expect(owed).toEqual([]);
  });
  it('leaves a reply to its worker in this process if the lease ended while the process was stalled', async () => {
    const { replies, accept, end, owed, taken } = replyDesk();
    await accept('r');
    owed.push('r');
    await replies.takePending();
    await new Promise(setImmediate);
    expect(taken).toHaveLength(1);
    await end('r');
    await replies.stop();
  });
  it('does not keep retrying replies that it cannot claim', async () => {
    const { replies, owed, refused, looks } = replyDesk();
    for (const name of names(OF_A_USER)) {
      owed.push(name);
      refused.add(name);
    }
    await replies.takePending();
    await replies.stop();
    expect(looks).toHaveLength(1);
  });
  it('takes a reply over without the rights of its user', async () => {
    const { replies, owed, end, callers } = replyDesk();
    owed.push('left');
    const caller = { userId: 'ben', groups: ['Admin'], sessionId: 's', kind: 'user' } as const;
    await RequestContext.run({ ...RequestContext.background(), caller }, () => replies.takePending());
    await end('left');
    expect(callers).toEqual([null]);
  });
  it('knows whether a reply that it takes over was stopped by its user', async () => {
    const { replies, owed, end, cancelled, taken } = replyDesk();
    owed.push('a', 'b');
    cancelled.add('b');
    await replies.takePending();
    await end('a');
    await end('b');
    expect(taken).toMatchObject([
      { replyId: 'a', isCancelled: false },
      { replyId: 'b', isCancelled: true },
    ]);
  });
  it('leaves replies that take too long to other processes when this one ends', async () => {
    const { replies, accept, live } = replyDesk({ shutdownGraceSeconds: 0.02 });
    await accept('long');
    await waitFor(() => live.of('long'), { what: 'the reply to be written' });
    await replies.stop();
    expect(live.of('long')!.signal.reason).toMatchObject({ because: 'process_ends' });
  });
  it('ends when the running replies have ended, and takes no more', async () => {
    const { replies, accept, end, owed } = replyDesk();
    const all = names(OF_A_USER + 1);
    for (const name of all) await accept(name);
    const stopped = replies.stop();
    for (const name of all.slice(0, OF_A_USER)) await end(name);
    await stopped;
    await accept('late');
    expect(owed).toEqual([all.at(-1), 'late']);
  });
});
