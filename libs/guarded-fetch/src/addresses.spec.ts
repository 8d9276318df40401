import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { embeddings, FORBIDDEN_V4, FORBIDDEN_V6 } from '../test/spellings.ts';
import { AddressRules, FORBIDDEN_IPV4 } from './addresses.ts';

const rules = new AddressRules([]);
const asNumber = (address: string) => address.split('.').reduce((number, byte) => number * 256 + Number(byte), 0);

/** Another way to say whether an IPv4 address is in the table. */
const isReserved = (address: string) =>
  FORBIDDEN_IPV4.some((range) => {
    const [network = '', bits = ''] = range.split('/');
    const size = 2 ** (32 - Number(bits));
    return Math.floor(asNumber(address) / size) === Math.floor(asNumber(network) / size);
  });

describe('address rules', () => {
  it.each(['::8.8.8.8', ...FORBIDDEN_V4, ...FORBIDDEN_V6, ...FORBIDDEN_V4.flatMap(embeddings)])('forbid %s', (address) => {
    expect(rules.allows(address)).toBe(false);
  });

  it.each(['', 'localhost', '127.1', '1.2.3.4/8', '1.2.3.4 ', '2606:4700::1%eth0', '[2606:4700::1]', '08.8.8.8'])(
    'forbid %j, which is not an address',
    (text) => {
      expect(rules.allows(text)).toBe(false);
    },
  );

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '223.255.255.255',
    '2606:4700::1',
    '2a00:1450::1',
    '2001:4860::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('allow %s', (address) => {
    expect(rules.allows(address)).toBe(true);
  });

  it('judge any IPv4 address by the table, even if it is IPv4-mapped or translated by NAT64', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = !isReserved(address);
        expect(rules.allows(address)).toBe(expected);
        expect(rules.allows(`::ffff:${address}`)).toBe(expected);
        expect(rules.allows(`64:ff9b::${address}`)).toBe(expected);
      }),
    );
  });

  it('allow an opened range, and its IPv4-mapped addresses, but nothing else', () => {
    const opened = new AddressRules(['10.1.0.0/16', 'fd00:1::/32', '::ffff:192.168.7.0/120']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::5', '192.168.7.9'].filter((address) => !opened.allows(address))).toEqual([]);
    const others = ['10.2.0.1', '64:ff9b::10.1.2.3', '2002:a01:203::', '::10.1.2.3', 'fd00:2::1', '192.168.8.1'];
    expect(others.filter((address) => opened.allows(address))).toEqual([]);
  });

  it('do not confuse all of IPv6 with all of IPv4', () => {
    expect(new AddressRules(['::/0']).allows('127.0.0.1')).toBe(false);
    expect(new AddressRules(['::/0']).allows('::1')).toBe(true);
    expect(new AddressRules(['0.0.0.0/0']).allows('::1')).toBe(false);
  });

  it('take all IPv4-mapped addresses for all of IPv4', () => expect(new AddressRules(['::ffff:0.0.0.0/96']).allows('10.1.2.3')).toBe(true));

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/ 8',
    'fd00::/129',
    'fe80::%lo/10',
    'private',
    '10/8',
    '::ffff:0:0/90',
    '',
  ])('refuse the range %j', (range) => {
    expect(() => new AddressRules([range])).toThrow(RangeError);
  });
});
