import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isCidr } from './cidr.ts';

describe('an address range', () => {
  it.each(['10.0.0.0/8', '0.0.0.0/0', '192.0.2.7/32'])('may be %s (IPv4)', (text) => {
    expect([isCidr(text, 4), isCidr(text, 6), isCidr(text)]).toEqual([true, false, true]);
  });

  it.each(['::/0', '2001:db8::/32', '::ffff:192.0.2.0/120', '::1/128'])('may be %s (IPv6)', (text) => {
    expect([isCidr(text, 6), isCidr(text, 4), isCidr(text)]).toEqual([true, false, true]);
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '010.0.0.0/8',
    '10.0.0/8',
    '10.0.0.0/8/8',
    '::/129',
    'fe80::1%eth0/64',
    '/8',
    '',
    'x/1',
    '10.0.0.0/-1',
    ' 10.0.0.0/8',
  ])('%p is none', (text) => expect(isCidr(text)).toBe(false));

  it.each([undefined, null, 8, ['10.0.0.0/8']])('is not %p', (value) => expect(isCidr(value)).toBe(false));

  it('may be any address with any prefix length of its family', () => {
    fc.assert(fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, length) => isCidr(`${address}/${length}`, 4)));
    fc.assert(fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), (address, length) => isCidr(`${address}/${length}`, 6)));
  });
});
