import { describe, expect, it } from '@jest/globals';
import { ClientAddress } from './client-address.ts';

describe('the client address of a request', () => {
  const direct = new ClientAddress([]);
  const behind = new ClientAddress(['10.0.0.0/8', '::1']);

  it('is the address of the socket', () => expect(direct.of('203.0.113.9', undefined)).toBe('203.0.113.9'));
  it('ignores a header of an untrusted client', () => expect(direct.of('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9'));
  it.each(['::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:cb00:7109', '0000:0000:0000:0000:0000:ffff:203.0.113.9'])(
    'is plain IPv4 for an IPv4-mapped IPv6 address: %s',
    (mapped) => {
      expect(direct.of(mapped, undefined)).toBe('203.0.113.9');
      expect(behind.of('::ffff:10.1.1.1', mapped)).toBe('203.0.113.9');
    },
  );
  it('is the address that a trusted proxy forwards', () => expect(behind.of('10.1.1.1', '203.0.113.9')).toBe('203.0.113.9'));
  it('is the right-most address that does not belong to a trusted proxy', () =>
    expect(behind.of('::1', '1.1.1.1, 203.0.113.9, 10.2.2.2')).toBe('203.0.113.9'));
  it("is the trusted proxy's own address without a header", () => expect(behind.of('10.1.1.1', undefined)).toBe('10.1.1.1'));
  it('is the left-most address if all belong to trusted proxies', () =>
    expect(behind.of('10.1.1.1', '10.3.3.3, 10.2.2.2')).toBe('10.3.3.3'));

  it.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8:0::1]', '2001:db8::1'],
    ['[::ffff:203.0.113.9]:1', '203.0.113.9'],
    ['1.1.1.1, 203.0.113.9:80, 10.2.2.2:8080, [::1]:9', '203.0.113.9'],
  ])('is read from a hop with a port: %s', (hops, address) => expect(behind.of('10.1.1.1', hops)).toBe(address));

  const strange = [
    ['0203.0.113.9', '0xcb.0.113.9', '3405803785', '203.0.113', '::ffff:0203.0.113.9', '203.0.113.256', '127.1'],
    ['fe80::1%eth0', '[fe80::1%eth0]:80', '203.0.113.9%eth0', 'unknown', '_hidden', 'for=203.0.113.9', ''],
    ['203.0.113.9:', '203.0.113.9:123456', '203.0.113.9:80:80', '0203.0.113.9:80', '[203.0.113.9]:80', '[]:80', '[::1', '::1]', '[::1]x'],
  ].flat();
  it.each(strange)('is unknown for an invalid hop: %j', (hop) => {
    expect(behind.of('10.1.1.1', hop)).toBe('');
    expect(behind.of('10.1.1.1', `203.0.113.9, ${hop}, 10.2.2.2`)).toBe('');
    expect(behind.of('10.1.1.1', `${hop}, 203.0.113.9`)).toBe('203.0.113.9');
  });
  it('is unknown if a hop is empty', () => expect(behind.of('10.1.1.1', '203.0.113.9,')).toBe(''));
});
