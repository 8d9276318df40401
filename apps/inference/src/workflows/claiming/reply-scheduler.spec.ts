import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { AT_ONCE, MOST_OWED, OF_A_USER, names, replyDesk } from '../../../test/reply-desk.ts';
import { BYTES_OF_REPLIES } from './reply-slots.ts';

describe('the scheduler of replies', () => {
  it('writes an accepted reply at once, and reads no rows for it', async () => {
    const { accept, end, writing, looks, replies } = replyDesk();
    await accept('r');
    await waitFor(() => writing.has('r'), { what: 'the reply to be written' });
    await end('r');
    await replies.stop();
    expect(looks).toEqual([]);
  });
  it('accepts without a claim when there is no slot, and takes those replies as others end, oldest first', async () => {
    const { accept, end, owed, writing, replies, taken, looks } = replyDesk();
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
  it('keeps slots for another user, who takes turns with the first one when there are none', async () => {
    const { accept, end, owed, writing } = replyDesk();
    const anns = names(OF_A_USER + 3, 'ann');
    for (const name of anns) await accept(name);
    const bens = names(AT_ONCE - OF_A_USER + 2, 'ben');
    for (const name of bens) await accept(name, { userId: 'ben' });
    expect([writing.size, owed.length]).toEqual([AT_ONCE, 5]);
    for (const ended of anns.slice(0, 2)) await end(ended);
    await waitFor(() => writing.size === AT_ONCE, { what: 'the free slots to be taken' });
    expect([writing.has(anns.at(-3)!), writing.has(bens.at(-2)!), writing.has(anns.at(-2)!)]).toEqual([true, true, false]);
  });
  it('keeps slots for the owner of a published API whose programs have taken all of theirs', async () => {
    const { accept, writing } = replyDesk();
    for (const name of names(OF_A_USER + 3, 'program')) await accept(name, { api: { apiId: 'a1', keyId: 'k1' } });
    expect(writing.size).toBe(OF_A_USER);
    await accept('own');
    expect(writing.has('own')).toBe(true);
  });
  it('claims no more once the bytes of running replies reach the limit', async () => {
    const { accept, writing, owed } = replyDesk();
    await accept('large', { bytes: BYTES_OF_REPLIES });
    await waitFor(() => writing.has('large'), { what: 'the reply to be written' });
    await accept('small');
    expect(owed).toEqual(['small']);
  });
  it('counts the bytes of a prompt when they are known', async () => {
    const { accept, writing, taken, owed } = replyDesk();
    await accept('large', { bytes: BYTES_OF_REPLIES });
    taken[0]!.slot!.resize(1_000);
    await accept('small');
    await waitFor(() => writing.has('small'), { what: 'the reply to be written' });
    expect(owed).toEqual([]);
  });
  it('refuses messages as busy while too many replies are pending', async () => {
    const { accept, end, owed, writing, replies } = replyDesk();
    const all = names(MOST_OWED);
    for (const name of all) await accept(name);
    await expect(accept('one more')).rejects.toMatchObject({ code: 'busy', kind: 'unavailable', facts: { retry_after: 5 } });
    expect([owed, await replies.numbers()]).toEqual([all.slice(OF_A_USER), { inHand: OF_A_USER, owed: MOST_OWED }]);
    for (const name of all) await end(name);
    await waitFor(() => writing.size === 0, { what: 'the slots to be free' });
    await accept('again');
    expect(writing.has('again')).toBe(true);
  });
  it('refuses messages as busy while writes wait for longer than the setting allows', async () => {
    const { accept, writing, writes, replies } = replyDesk({ longestWriteWaitMillis: 90 });
    writes.wait = 91;
    await expect(accept('late')).rejects.toMatchObject({ code: 'busy', kind: 'unavailable', facts: { retry_after: 1 } });
    expect([writing.size, replies.refusal()]).toEqual([0, expect.objectContaining({ code: 'busy' })]);
    writes.wait = 90;
    await accept('in time');
    expect([[...writing.keys()], replies.refusal()]).toEqual([['in time'], null]);
  });
  it('counts the replies that it writes as pending, even if there are free slots', async () => {
    const { accept, end, writing } = replyDesk({ maxOwedReplies: 2 });
    for (const name of names(2)) await accept(name);
    await expect(accept('one more')).rejects.toMatchObject({ code: 'busy', kind: 'unavailable', facts: { retry_after: 5 } });
    await end('r0000');
    await waitFor(
      () =>
        accept('again').then(
          () => true,
          () => false,
        ),
      { what: 'the slot to be free' },
    );
    expect([...writing.keys()]).toEqual(['r0001', 'again']);
  });
  it('rejects with the refusal of the append, and keeps no slot for it', async () => {
    const { accept, refuseOne, writing } = replyDesk();
    for (let n = 0; n < AT_ONCE; n++) await expect(refuseOne()).rejects.toThrow('Wait.');
    await accept('r');
    await waitFor(() => writing.has('r'), { what: 'the reply to be written' });
  });
  it('releases slots and bytes when replies have ended', async () => {
    const { replies, accept, end, taken, owed } = replyDesk();
    await accept('large', { bytes: BYTES_OF_REPLIES });
    await end('large');
    await waitFor(async () => (await replies.numbers()).inHand === 0, { what: 'the slot to be free' });
    // A model may continue after the end of its reply, and resize its prompt.
    taken[0]!.slot!.resize(BYTES_OF_REPLIES);
    await accept('small');
    expect(owed).toEqual([]);
  });
  it('owes none after it has read that none is waiting or leased, until it accepts one', async () => {
    const { replies, accept, end, writing } = replyDesk();
    expect(replies.owesNone).toBe(false);
    await replies.takePending();
    expect(replies.owesNone).toBe(true);
    await accept('r');
    expect(replies.owesNone).toBe(false);
    await waitFor(() => writing.has('r'), { what: 'the reply to be written' });
    await replies.takePending();
    await end('r');
    await waitFor(async () => (await replies.numbers()).inHand === 0, { what: 'the slot to be free' });
    // When it was read last, a reply had a lease.
    expect(replies.owesNone).toBe(false);
    await replies.takePending();
    expect(replies.owesNone).toBe(true);
  });
});
