import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { networkOf, plainAddress } from './plain-address.ts';

describe('a plain address', () => {
  it('is the same, however it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const long = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
        const short = groups.map((group) => group.toString(16)).join(':');
        const plain = plainAddress(long) as string;
        return plain === plainAddress(short) && plain === plainAddress(plain);
      }),
    );
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1:2::', '1:2:0:0::/64'],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('is the same within a /64 and differs outside it', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const four = fc.tuple(group, group, group, group).map((groups) => groups.join(':'));
    fc.assert(
      fc.property(four, four, four, four, (net, other, one, two) => {
        const network = (prefix: string, rest: string) => networkOf(plainAddress(`${prefix}:${rest}`) as string);
        fc.pre(net !== '0:0:0:0' && other !== '0:0:0:0');
        return network(net, one) === network(net, two) && (net === other) === (network(net, one) === network(other, two));
      }),
    );
  });
});
