import { describe, expect, it } from '@jest/globals';
import { SHARE_OF_A_USER } from '@parlance/chat-models';
import { BYTES_IN_HAND, BYTES_OF_A_HOLDER, BYTES_OF_A_PROVIDER, Places, PLACES_FOR_OTHERS, type Wanted } from './places.ts';

const AT_ONCE = 4;
const OF_A_USER = AT_ONCE * SHARE_OF_A_USER;
const ann: Wanted = { provider: 'p', holder: 'ann', bytes: 0 };
const ben: Wanted = { ...ann, holder: 'ben' };
const elsewhere: Wanted = { ...ben, provider: 'q' };
const places = (atOnce = AT_ONCE) => new Places(new Map([['p', atOnce]]));

/** How many replies get a place, one after the other. */
function taken(all: Places, wanted: (nth: number) => Wanted): number {
  let count = 0;
  while (all.take(wanted(count))) count++;
  return count;
}

describe('places of replies', () => {
  it('are a share of those of a provider for one user', () => expect(taken(places(), () => ann)).toBe(OF_A_USER));
  it('are one at least for a user, also at a provider that takes one call at once', () => expect(taken(places(1), () => ann)).toBe(1));
  it('are as many for all users as the provider takes calls at once', () =>
    expect(taken(places(), (nth) => ({ ...ann, holder: `user ${nth}` }))).toBe(AT_ONCE));
  it('are as many in all as the largest provider has, and those for others', () =>
    expect(taken(places(), (nth) => ({ ...ann, provider: `other ${nth}` }))).toBe(AT_ONCE + PLACES_FOR_OTHERS));
  it('are given back once, also when a reply leaves twice', () => {
    const all = places();
    const first = all.take(ann)!;
    while (all.take(ann));
    first.leave();
    first.leave();
    expect(taken(all, () => ann)).toBe(1);
  });
});

describe('the bytes of replies in hand', () => {
  const large = { ...ann, bytes: BYTES_IN_HAND };
  it('have a bound', () => {
    const all = places();
    all.take(large);
    expect([all.has({ ...elsewhere, bytes: 1 }), all.has(elsewhere)]).toEqual([false, true]);
  });
  it('of one holder leave places for replies of others', () => {
    const all = places();
    all.take({ ...ann, bytes: BYTES_OF_A_HOLDER });
    const more = { ...ann, provider: 'q', bytes: 1 };
    expect([all.has(more), all.has({ ...more, holder: 'ben' })]).toEqual([false, true]);
  });
  it('of one provider leave places for replies of others', () => {
    const all = places();
    for (const holder of ['ann', 'ben']) all.take({ ...ann, holder, bytes: BYTES_OF_A_PROVIDER / 2 });
    const more = { ...ann, holder: 'cid', bytes: 1 };
    expect([all.has(more), all.has({ ...more, provider: 'q' })]).toEqual([false, true]);
  });
  it('of a holder and a provider are given back with the place', () => {
    const all = places();
    const place = all.take({ ...ann, bytes: BYTES_OF_A_HOLDER })!;
    place.resize(1);
    const whileSmall = all.take({ ...ann, bytes: BYTES_OF_A_HOLDER - 1 });
    expect([whileSmall === null, all.has({ ...ann, bytes: 1 })]).toEqual([false, false]);
    place.leave();
    expect(all.has({ ...ann, bytes: 1 })).toBe(true);
  });
  it('do not keep a reply from work that is longer than the bound', () =>
    expect(places().has({ ...ann, bytes: BYTES_IN_HAND + 1 })).toBe(true));
  it('are those that a reply holds by now', () => {
    const all = places();
    const place = all.take(ann)!;
    place.resize(BYTES_IN_HAND);
    const whileLarge = all.has({ ...elsewhere, bytes: 1 });
    place.resize(BYTES_IN_HAND - 1);
    expect([whileLarge, all.has({ ...elsewhere, bytes: 1 })]).toEqual([false, true]);
  });
  it('are given back with the place, and not taken again by a reply that has left', () => {
    const all = places();
    all.take(ben);
    const place = all.take(large)!;
    place.leave();
    place.resize(BYTES_IN_HAND);
    expect(all.has(large)).toBe(true);
  });
});
