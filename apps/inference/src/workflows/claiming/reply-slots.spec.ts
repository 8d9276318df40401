import { describe, expect, it } from '@jest/globals';
import { SHARE_OF_A_USER } from '@parlance/chat-models';
import { BYTES_OF_REPLIES, BYTES_OF_AN_OWNER, BYTES_OF_A_PROVIDER, ReplySlots, SLOTS_FOR_OTHERS, type SlotRequest } from './reply-slots.ts';

const AT_ONCE = 4;
const OF_A_USER = AT_ONCE * SHARE_OF_A_USER;
const ann: SlotRequest = { provider: 'p', owner: 'ann', bytes: 0 };
const ben: SlotRequest = { ...ann, owner: 'ben' };
const elsewhere: SlotRequest = { ...ben, provider: 'q' };
const slots = (atOnce = AT_ONCE) => new ReplySlots(new Map([['p', atOnce]]));

/** The number of replies that get a slot, one after another. */
function taken(all: ReplySlots, wanted: (index: number) => SlotRequest): number {
  let count = 0;
  while (all.take(wanted(count))) count++;
  return count;
}

describe('slots of replies', () => {
  it('are limited to a share of a provider for one owner', () => expect(taken(slots(), () => ann)).toBe(OF_A_USER));
  it('are at least one for an owner, even at a provider that allows one call at once', () => expect(taken(slots(1), () => ann)).toBe(1));
  it('are limited for all owners by the concurrent calls of the provider', () =>
    expect(taken(slots(), (index) => ({ ...ann, owner: `user ${index}` }))).toBe(AT_ONCE));
  it('are limited in total by the largest provider, plus the slots for others', () =>
    expect(taken(slots(), (index) => ({ ...ann, provider: `other ${index}` }))).toBe(AT_ONCE + SLOTS_FOR_OTHERS));
  it('are released once, even if a reply is released twice', () => {
    const all = slots();
    const first = all.take(ann)!;
    while (all.take(ann));
    first.release();
    first.release();
    expect(taken(all, () => ann)).toBe(1);
  });
});

describe('the bytes of running replies', () => {
  const large = { ...ann, bytes: BYTES_OF_REPLIES };
  it('have a limit', () => {
    const all = slots();
    all.take(large);
    expect([all.has({ ...elsewhere, bytes: 1 }), all.has(elsewhere)]).toEqual([false, true]);
  });
  it('of one owner leave slots for other owners', () => {
    const all = slots();
    all.take({ ...ann, bytes: BYTES_OF_AN_OWNER });
    const more = { ...ann, provider: 'q', bytes: 1 };
    expect([all.has(more), all.has({ ...more, owner: 'ben' })]).toEqual([false, true]);
  });
  it('of one provider leave slots for other providers', () => {
    const all = slots();
    for (const owner of ['ann', 'ben']) all.take({ ...ann, owner, bytes: BYTES_OF_A_PROVIDER / 2 });
    const more = { ...ann, owner: 'cid', bytes: 1 };
    expect([all.has(more), all.has({ ...more, provider: 'q' })]).toEqual([false, true]);
  });
  it('of an owner and a provider are released with the slot', () => {
    const all = slots();
    const slot = all.take({ ...ann, bytes: BYTES_OF_AN_OWNER })!;
    slot.resize(1);
    const whileSmall = all.take({ ...ann, bytes: BYTES_OF_AN_OWNER - 1 });
    expect([whileSmall === null, all.has({ ...ann, bytes: 1 })]).toEqual([false, false]);
    slot.release();
    expect(all.has({ ...ann, bytes: 1 })).toBe(true);
  });
  it('do not block a single reply that exceeds the limit', () => expect(slots().has({ ...ann, bytes: BYTES_OF_REPLIES + 1 })).toBe(true));
  it('are the bytes that a reply currently uses', () => {
    const all = slots();
    const slot = all.take(ann)!;
    slot.resize(BYTES_OF_REPLIES);
    const whileLarge = all.has({ ...elsewhere, bytes: 1 });
    slot.resize(BYTES_OF_REPLIES - 1);
    expect([whileLarge, all.has({ ...elsewhere, bytes: 1 })]).toEqual([false, true]);
  });
  it('are released with the slot, and not taken again afterwards', () => {
    const all = slots();
    all.take(ben);
    const slot = all.take(large)!;
    slot.release();
    slot.resize(BYTES_OF_REPLIES);
    expect(all.has(large)).toBe(true);
  });
});
